#include "scheduler/search/epilogues.h"

#include <gtest/gtest.h>

#include "scheduler/nest/text.h"
#include "scheduler/search/kernel_costs.h"
#include "scheduler/search/reconsider_places.h"
#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

// in -> near (a stencil) -> far (a stencil) -> out, which reads far at its own pixel, of a channel.
Dag with_epilogue(int64_t lo = 0, int64_t hi = 0) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId near = b.func("near", {"x", "y"}), far = b.func("far", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 1535}, {"y", 0, 1023}, {"c", 0, 2}});
    b.reads(near, in, {at(0, -2, 2), at(1, -2, 2)}, 25).ops(near, OpKind::add, 24);
    b.reads(far, near, {at(0, -2, 2), at(1, -2, 2)}, 25).ops(far, OpKind::add, 24);
    b.reads(out, far, {at(0, lo, hi), at(1)}, static_cast<int>(1 + hi - lo));
    return b.ops(out, OpKind::mul, 1).build();
}

constexpr const char *kApart =
    "kernel out\n  out threads x=64 y=2\n    out serial c=3\n"
    "kernel far\n  near threads x=36 y=12\n    near serial\n"
    "  far threads x=32 y=8\n    far serial\n";

State state_of(const Search &search, const char *nest) {
    ThreadPool pool(1);
    ModelCosts costs(search.dag, search.gpu, search.model, pool);
    return with_costs(costs, search.space.adopt(parse_nest(search.dag, nest).value()));
}

TEST(Epilogues, TakeTheTilingOfTheKernelBeforeThem) {
    const Search search(with_epilogue());
    const std::vector<Joined> found = epilogues(search.dag, state_of(search, kApart), 0);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].func, find_func(search.dag, "far"));
    EXPECT_EQ(found[0].kernel, find_stage(search.dag, "far"));
    EXPECT_EQ(found[0].reader, find_stage(search.dag, "out"));
    // That has no channels: the reader keeps its own tile of them.
    EXPECT_EQ(found[0].tiling, (Tiling{{1, 32}, {1, 8}, {3, 1}}));
}

TEST(Epilogues, CostEnoughToGainByIt) {
    const Search search(with_epilogue());
    EXPECT_EQ(epilogues(search.dag, state_of(search, kApart), 1).size(), 0u);
}

TEST(Epilogues, HaveAnAxisForEachLoopThatThreadsShare) {
    DagBuilder b;
    const std::vector<std::string> dims = {"x", "y", "z"};
    const FuncId in = b.input("in", dims), f = b.func("f", dims);
    const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 511}, {"z", 0, 63}, {"c", 0, 7}});
    b.reads(f, in, {at(0, -2, 2), at(1), at(2)}, 5).ops(f, OpKind::add, 4);
    b.reads(out, f, {at(0), at(1), at(2)});
    const Search search(b.build());
    const auto found = [&](const char *reader) {
        const std::string nest = std::string("kernel out\n  out threads ") + reader +
                                 "\nkernel f\n  f threads x=16 y=4 z=2\n    f serial\n";
        return epilogues(search.dag, state_of(search, nest.c_str()), 0).size();
    };
    EXPECT_EQ(found("x=32\n    out serial c=8"), 1u);
    EXPECT_EQ(found("x=32 c=8\n    out serial"), 0u);
}

TEST(Epilogues, AreWhatReadsPointByPoint) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 65535}});
    b.reads(f, in, {at(0, -3, 3)}, 7).reads(out, f, {times(0, 2)}).ops(f, OpKind::add, 6);
    const Search search(b.build());
    const State plain = plain_state(search.space, search.model);
    EXPECT_EQ(epilogues(search.dag, plain, 0).size(), 0u) << "it moves by two elements";
}

TEST(Epilogues, JoinTheKernelBeforeThemWithAllThatIsInIt) {
    const Search search(with_epilogue());
    const State apart = state_of(search, kApart);
    OwnParts own(search);
    const State joined = join_epilogues(own.parts, apart);
    EXPECT_LT(joined.cost, apart.cost);
    ASSERT_EQ(joined.nest.kernels.size(), 1u);
    EXPECT_EQ(joined.nest.place(find_func(search.dag, "near")), Place::block);
    EXPECT_EQ(check(search.dag, joined.nest, Completeness::complete), std::vector<std::string>{});
}

}  // namespace
}  // namespace autoschedule_gpu
