// What a stage computes at some iterations only.
#include <algorithm>

#include "reading.h"

namespace autoschedule_gpu {
namespace {

using namespace testing;
using Halide::mux;
using Halide::select;

Halide::Var channel("channel");

template <typename Value>
Dag read_choices(Value value) {
    Halide::ImageParam in(Halide::Int(32), 3, "in");
    Halide::Func f("f");
    f(x, y, channel) = value(in);
    f.set_estimates({{0, 64}, {0, 64}, {0, 4}});
    return read(f);
}

// Of the output; ImageParams have Funcs of their own before it.
const Stage &output_stage(const Dag &dag) {
    return dag.stages.back();
}

// By what is known, of the sites of all loads.
double untaken_loads(const Stage &stage, size_t known) {
    double sum = 0;
    for (const Load &load : stage.loads) sum += load.untaken.empty() ? 0 : load.untaken[known];
    return sum;
}

TEST(Choices, OfAChannelTakeOneArmOfSeveral) {
    const Dag dag = read_choices([](auto in) {
        return mux(channel, {in(x, y, 0), in(x, y, 1), in(x, y, 2), Halide::Expr(1)});
    });
    const Stage &stage = output_stage(dag);
    EXPECT_EQ(stage.choices, (std::vector<LoopChoice>{{2, 0}}));
    EXPECT_EQ(untaken_loads(stage, 0), 0);
    EXPECT_EQ(untaken_loads(stage, 1), 3 - 0.75);
}

// At the estimates; elsewhere there are iterations.
TEST(Choices, OfALoopWithoutIterationsAreNone) {
    Halide::ImageParam in(Halide::Int(32), 1, "in");
    in.set_estimates({{0, 1}});
    const Halide::RDom r(1, in.dim(0).extent() - 1);
    Halide::Func f("f");
    f(x) = 0;
    f(x) += select(r == 1, in(r)*3, in(r) + in(r - 1));
    f.set_estimates({{0, 64}});
    EXPECT_TRUE(read(f).stages.back().choices.empty());
}

TEST(Choices, OfEvenAndOddPointsNeedBothRemaindersToBeKnown) {
    const Dag dag = read_choices([](auto in) {
        const Halide::Expr even = select(y % 2 == 0, in(x, y, 0) * 3, in(x, y, 1) * 3);
        const Halide::Expr odd = select(y % 2 == 0, in(x, y, 2) * 3, in(x, y, 3) * 3);
        return select(x % 2 == 0, even, odd);
    });
    const Stage &stage = output_stage(dag);
    ASSERT_EQ(stage.choices.size(), 2);
    for (const LoopChoice &choice : stage.choices) EXPECT_EQ(choice.period, 2);
    EXPECT_EQ(untaken_loads(stage, 0), 0);
    EXPECT_EQ(untaken_loads(stage, 1), 2);  // either of two
    EXPECT_EQ(untaken_loads(stage, 2), 2);
    EXPECT_EQ(untaken_loads(stage, 3), 3);
    const auto products = [&](size_t known) {
        return stage.untaken_ops[known].at(OpKind::mul, OpType::integer);
    };
    EXPECT_EQ(products(1), 2);
    EXPECT_EQ(products(3), 3);
    const auto selections = [&](size_t known) {
        return stage.untaken_ops[known].at(OpKind::select, OpType::integer);
    };
    EXPECT_EQ(selections(3), 3);
    EXPECT_EQ(stage.ops.at(OpKind::mul, OpType::integer), 4);  // written in the text
}

// Each step uses the one before it twice: whoever visits each use does not come to the end.
TEST(Choices, MayBeAskedByALongCalculation) {
    Halide::Expr remainder = x % 2;
    for (int step = 0; step < 64; ++step) remainder = (remainder + remainder + 1) % 3;
    const Dag dag = read_choices([&](auto in) {
        return select(remainder == 0, in(x, y, 0) * 3, in(x, y, 1) + in(x, y, 2));
    });
    EXPECT_EQ(output_stage(dag).choices, (std::vector<LoopChoice>{{0, 2}}));
    EXPECT_EQ(untaken_loads(output_stage(dag), 1), 1.5);
}

TEST(Choices, OfWhatBothArmsNeedTakeItAlways) {
    const Dag dag = read_choices([](auto in) {
        const Halide::Expr both = in(x, y, 0);
        return select(x % 2 == 0, both + in(x, y, 1), both);
    });
    EXPECT_EQ(untaken_loads(output_stage(dag), 1), 0.5);
}

TEST(Choices, OfDataOrManyIterationsAreNone) {
    const auto is_none = [](auto value) {
        const Dag dag = read_choices(value);
        return output_stage(dag).choices.empty();
    };
    EXPECT_TRUE(is_none([](auto in) { return select(in(x, y, 0) > 0, in(x, y, 1), 0); }));
    EXPECT_TRUE(is_none([](auto in) { return select(x < 3, in(x, y, 1), 0); }));
    EXPECT_TRUE(is_none([](auto in) { return in(x, y, channel); }));
    EXPECT_FALSE(is_none([](auto in) { return select(channel == 3, in(x, y, 1), 0); }));
}

TEST(Loads, AreClampedWhereTheirRowsAre) {
    const auto is_clamped = [](auto value) {
        const Dag dag = read_choices(value);
        return output_stage(dag).loads[0].clamped;
    };
    EXPECT_TRUE(is_clamped([](auto in) { return in(x, Halide::clamp(y, 0, 63), 0); }));
    EXPECT_FALSE(is_clamped([](auto in) { return in(Halide::clamp(x, 0, 63), y + 1, 0); }));
}

TEST(Loads, AreOfSumsWhereAllOfTheirSitesAre) {
    const auto is_of_sums = [](auto value) {
        const Dag dag = read_choices(value);
        return output_stage(dag).loads[0].of_sums;
    };
    EXPECT_TRUE(is_of_sums([](auto in) { return in(x + 1, y - x, 0); }));
    EXPECT_FALSE(is_of_sums([](auto in) { return in(x, Halide::clamp(y, 0, 63), 0); }));
    EXPECT_FALSE(is_of_sums([](auto in) { return in(Halide::clamp(x, 0, 63), y, 0); }));
    EXPECT_FALSE(is_of_sums([](auto in) { return in(x, y, 0) + in(x, Halide::max(y, 3), 0); }))
        << "one of two";
    EXPECT_FALSE(is_of_sums(
        [](auto in) { return in(x, Halide::Internal::promise_clamped(y + 1, 0, 63), 0); }));
}

// By loop: after how many iterations the last coordinate of the first load is the same again.
std::pair<int64_t, int64_t> periods(auto index) {
    const Dag dag = read_choices([&](auto in) { return in(x, y, index(in)); });
    const AccessMatrix &access = output_stage(dag).loads[0].access;
    return {access.at(2, 0).period, access.at(2, 1).period};
}

TEST(Loads, SayWhenAnIndexRepeats) {
    using Periods = std::pair<int64_t, int64_t>;
    EXPECT_EQ(periods([](auto) { return x % 2; }), Periods(2, 0));
    EXPECT_EQ(periods([](auto) { return y % 2 * 2 + x % 2; }), Periods(2, 2));
    EXPECT_EQ(periods([](auto) { return x % 2 + x % 3; }), Periods(6, 0));
    EXPECT_EQ(periods([](auto) { return 2 * x % 4; }), Periods(2, 0));
    EXPECT_EQ(periods([](auto) { return select(x % 2 == 0, 3, x % 4); }), Periods(4, 0));
    EXPECT_EQ(periods([](auto) { return x; }), Periods(0, 0));
    EXPECT_EQ(periods([](auto) { return x + x % 2; }), Periods(0, 0));
    EXPECT_EQ(periods([](auto) { return x / 2 % 2; }), Periods(0, 0));
}

// What data say is not known when compiling, though it repeats.
TEST(Loads, SayNothingOfAnIndexThatDependsOnData) {
    Halide::ImageParam table(Halide::Int(32), 1, "table"), in(Halide::Int(32), 2, "in");
    Halide::Func f("f");
    f(x, y) = in(x, Halide::clamp(table(x % 2), 0, 7));
    f.set_estimates({{0, 64}, {0, 64}});
    const Dag dag = read(f);
    const auto period = [&](size_t dims) {
        const auto at = std::ranges::find_if(
            output_stage(dag).loads, [&](const Load &load) { return load.access.dims() == dims; });
        return at->access.at(dims - 1, 0).period;
    };
    EXPECT_EQ(period(1), 2);
    EXPECT_EQ(period(2), 0);
}

}  // namespace
}  // namespace autoschedule_gpu
