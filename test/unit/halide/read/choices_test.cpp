// What a stage computes at some iterations only.
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

}  // namespace
}  // namespace autoschedule_gpu
