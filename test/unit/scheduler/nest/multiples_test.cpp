#include "scheduler/nest/multiples.h"

#include <gtest/gtest.h>

#include "scheduler/nest/edit.h"
#include "scheduler/schedule/cpp_source.h"
#include "scheduler/schedule/directives_of_nest.h"
#include "scheduler/schedule/trace.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using example::parsed;

using Numbers = std::vector<int64_t>;

constexpr char kPairs[] =
    "kernel out\n"
    "  f threads x=34 y=8\n"
    "  out threads x=16 y=8\n"
    "    out serial x=2\n";

// f -> out, of extents that are multiples of `extent`; out treats even and odd points differently.
Dag pattern(int64_t width, int64_t period = 2) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), f = b.func("f", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, 255}});
    using example::at;
    b.reads(f, in, {at(0), at(1)}).reads(out, f, {at(0, -1, 1), at(1)}, 3);
    Dag dag = b.build();
    dag.stages[dag.func(out).stages[0].index()].period = period;
    return dag;
}

Numbers found(const Dag &dag, const std::string &text) {
    return multiples(dag, *parsed(dag, text).kernels[0]);
}

TEST(Multiples, AreOfDimensionsWhoseTilesAreMultiplesOfThePeriod) {
    EXPECT_EQ(found(pattern(512), kPairs), (Numbers{2, 2}));
}

TEST(Multiples, AreNoneWithoutAPatternOrAnUnrolledPairOrForAnOutputOfOddExtent) {
    EXPECT_EQ(found(pattern(512, 1), kPairs), Numbers{});
    EXPECT_EQ(found(pattern(511), kPairs), Numbers{});
    EXPECT_EQ(found(pattern(512, 3), kPairs), Numbers{});
    EXPECT_EQ(found(pattern(512), "kernel out\n  f threads x=34 y=8\n  out threads x=32 y=8\n"),
              Numbers{});
}

TEST(Multiples, AreNoneOfATupleWhoseBuffersHaveNamesOfTheirOwn) {
    Dag dag = pattern(512);
    Func &out = dag.funcs.back();
    ASSERT_EQ(out.name, "out");
    out.values.push_back(out.values.front());
    EXPECT_EQ(found(dag, kPairs), Numbers{});
}

TEST(Multiples, AreASwitchOfTheKernelThatReadsBack) {
    const Dag dag = pattern(512);
    const KernelPtr with = parsed(dag, kPairs).kernels[0];
    const KernelPtr without = switched(with, &Kernel::multiples, false);
    EXPECT_TRUE(multiples(dag, *without).empty());
    EXPECT_TRUE(may_have_multiples(dag, *without));
    EXPECT_NE(without->hash, with->hash);
    EXPECT_EQ(parsed(dag, to_text(dag, *without)).kernels[0]->hash, without->hash);
}

TEST(Multiples, AreTheLastDirectiveOfTheStageForFullTiles) {
    const Dag dag = pattern(512);
    const Directive *last = nullptr;
    const Schedule schedule = directives(dag, parsed(dag, kPairs));
    for (const Directive &directive : schedule) {
        if (directive.func_name != "out" || directive.branch != Branch::full_tiles) continue;
        last = &directive;
    }
    ASSERT_NE(last, nullptr);
    EXPECT_EQ(last->op, DirectiveOp::repeat_for_multiples);
    EXPECT_EQ(last->multiples, (Numbers{2, 2}));
    EXPECT_TRUE(check_against(schedule, dag).ok());
    EXPECT_EQ(parse_trace(to_json(schedule, 0)).value().schedule, schedule);
    const std::string text = cpp_source(schedule, dag);
    EXPECT_NE(text.find("repeat_for_multiples(out, 0, true, out, {2, 2});"), text.npos) << text;
}

}  // namespace
}  // namespace autoschedule_gpu
