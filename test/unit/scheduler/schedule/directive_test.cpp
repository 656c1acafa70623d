#include "scheduler/schedule/directive.h"

#include <gtest/gtest.h>

#include <set>

#include "unit/scheduler/schedule/example.h"

namespace autoschedule_gpu {
namespace {

using namespace test;

TEST(DirectiveNames, EveryOpTailAndMemoryTypeHasANameOfItsOwnThatReadsBack) {
    std::set<std::string_view> names;
    for (int i = 0; i < kDirectiveOps; ++i) {
        const auto op = static_cast<DirectiveOp>(i);
        EXPECT_TRUE(names.insert(to_string(op)).second) << to_string(op);
        EXPECT_EQ(parse_directive_op(to_string(op)), op);
    }
    for (int i = 0; i < kTailStrategies; ++i) {
        const auto tail = static_cast<TailStrategy>(i);
        EXPECT_EQ(parse_tail_strategy(to_string(tail)), tail);
    }
    for (int i = 0; i < kStorableMemoryKinds; ++i) {
        const auto memory = static_cast<MemoryKind>(i);
        EXPECT_EQ(parse_memory_kind(to_string(memory)), memory);
    }
}

TEST(DirectiveNames, TextThatIsNoNameReadsBackAsNothing) {
    EXPECT_FALSE(parse_directive_op("Split"));
    EXPECT_FALSE(parse_directive_op(""));
    EXPECT_FALSE(parse_tail_strategy("guard_with_if"));
    EXPECT_FALSE(parse_memory_kind("Stack"));
}

TEST(Describe, ReadsAsTheHalideCall) {
    const Schedule schedule = example_schedule();
    EXPECT_EQ(describe(schedule[0]), "out.compute_root()");
    EXPECT_EQ(describe(schedule[1]), "out.split(x, xb, xi, 64, TailStrategy::ShiftInwards)");
    EXPECT_EQ(describe(schedule[10]), "sum$1.update(0).fuse(ro, r4$y, rf)");
    EXPECT_EQ(describe(schedule[14], "sum$1"), "blur.compute_at(sum$1, rf)");
    EXPECT_EQ(describe(schedule[15]), "blur.store_in(MemoryType::Register)");
}

TEST(Describe, OfAWrapperNamesItAndTheIndicesOfTheOthers) {
    EXPECT_EQ(describe(in(8, "f_in", 3)), "f_in = Func 3.in()");
    EXPECT_EQ(describe(in(9, "f_in_g", 3, 5)), "f_in_g = Func 3.in(Func 5)");
    EXPECT_EQ(describe(in(9, "", 3, 5)), "Func 9 = Func 3.in(Func 5)");
}

TEST(Describe, NamesByPositionWhatHasNoName) {
    EXPECT_EQ(describe(on_stage(DirectiveOp::unroll, 3, "", 2, {own(1)})),
              "Func 3.update(1).unroll(loop 1)");
    EXPECT_EQ(describe(compute_at(0, "f", 7, own(2))), "f.compute_at(Func 7, loop 2)");
}

class ReductionLoopsTest : public testing::Test {
protected:
    // In update 0 of Func 1 the first two loops are reduction loops, as in the example.
    ReductionLoops of(const Schedule &schedule) {
        return ReductionLoops(schedule, [](int func, int stage, int loop) {
            return func == 1 && stage == 1 && loop < 2;
        });
    }
};

TEST_F(ReductionLoopsTest, SplitsAndFusionsPassTheKindOn) {
    const ReductionLoops loops = of(example_schedule());
    EXPECT_TRUE(loops.contains(1, 1, own(0)));
    EXPECT_FALSE(loops.contains(1, 1, own(2)));
    EXPECT_TRUE(loops.contains(1, 1, made("ri")));
    EXPECT_TRUE(loops.contains(1, 1, made("rf")));
    EXPECT_FALSE(loops.contains(2, 0, made("xv")));
}

TEST_F(ReductionLoopsTest, AMadeLoopBelongsToItsStage) {
    const ReductionLoops loops = of(example_schedule());
    EXPECT_FALSE(loops.contains(1, 0, made("ri")));
    EXPECT_FALSE(loops.contains(1, 1, made("never_made")));
}

TEST_F(ReductionLoopsTest, ASiteIsLookedForInItsStageAndThenInTheOthers) {
    const ReductionLoops loops = of(example_schedule());
    EXPECT_TRUE(loops.contains_site(compute_at(0, "blur", 1, made("rf"), 1)));
    EXPECT_TRUE(loops.contains_site(compute_at(0, "blur", 1, made("rf"), 0)));
    EXPECT_TRUE(loops.contains_site(compute_at(0, "blur", 1, own(0), 1)));
    EXPECT_FALSE(loops.contains_site(compute_at(0, "blur", 1, own(0), 0)));
    EXPECT_FALSE(loops.contains_site(compute_at(0, "blur", 2, made("rf"), 0)));
}

}  // namespace
}  // namespace autoschedule_gpu
