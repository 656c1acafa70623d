// Every pruning rule, triggered by a case that nothing else rejects.
#include <gtest/gtest.h>

#include "unit/example_dags.h"
#include "unit/space/walk.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

const GpuModel kGpu = a100();

RuleSet without(Rule rule) {
    RuleSet rules;
    rules.switch_off(rule);
    return rules;
}

uint64_t counted(const SearchSpace &space, const State &state, size_t step, Rule rule) {
    RuleCounts counts{};
    (void)space.moves(state, space.steps()[step], Retile::no, counts);
    return counts[static_cast<size_t>(rule)];
}

// What a move that `wanted` picks is rejected by, with all rules and without `rule`.
void expect_switchable(const Dag &dag, const std::vector<Wanted> &before, const Wanted &wanted,
                       Rule rule) {
    for (const bool on : {true, false}) {
        const SearchSpace space(dag, kGpu, on ? RuleSet() : without(rule), Freedom::full);
        const State state = walk(space, before);
        const auto move = found(moves_of(space, state, before.size()), wanted);
        ASSERT_TRUE(move) << name(rule);
        EXPECT_EQ(rejection(space, state, *move), on ? std::optional(rule) : std::nullopt)
            << name(rule) << (on ? " on" : " off");
    }
}

TEST(HalideNesting, RejectsFusionWhenConsumersAreInSeveralKernels) {
    const Dag dag = diamond(1024, 512);
    const SearchSpace space(dag, kGpu, RuleSet(), Freedom::full);
    const State state = walk(space, {kRoot, kAny, kRoot, kAny, kRoot, kAny});
    EXPECT_EQ(counted(space, state, 6, Rule::halide_nesting), 1u);
    EXPECT_FALSE(found(moves_of(space, state, 6), kBlock));
    EXPECT_FALSE(found(moves_of(space, state, 6), kThread));
}

TEST(HalideNesting, RejectsAThreadWhenConsumersAreInSeveralThreads) {
    const Dag dag = diamond(1024, 512);
    const SearchSpace space(dag, kGpu, RuleSet(), Freedom::full);
    const State state = walk(space, {kRoot, tiled({{1, 32}, {1, 8}}), kBlock, kAny, kBlock, kAny});
    EXPECT_EQ(counted(space, state, 6, Rule::halide_nesting), 1u);
    EXPECT_TRUE(found(moves_of(space, state, 6), kBlock));
    EXPECT_FALSE(found(moves_of(space, state, 6), kThread));
}

TEST(HalideNesting, RejectsFusionIntoAKernelOfOneThread) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"}), out = b.output("out", {});
    b.reads(f, in, {at(0, 0, 8)}, 9).ops(f, OpKind::add, 8);
    const StageId sum = b.update(out, {b.reduction("r", 0, 99)}, {});
    b.reads(sum, f, {at(0, 0, 1)}, 2);
    const Dag dag = b.build();
    const SearchSpace space(dag, kGpu, RuleSet(), Freedom::full);
    const State state = walk(space, {kRoot, kAny, kAny});
    EXPECT_EQ(counted(space, state, 3, Rule::halide_nesting), 1u);
    EXPECT_FALSE(found(moves_of(space, state, 3), kBlock));
}

TEST(HostBoundary, KeepsHostStagesAndTheirProducersOutOfKernels) {
    const Dag dag = host_in_the_middle(512, 256);
    const SearchSpace space(dag, kGpu, RuleSet(), Freedom::full);
    State state = walk(space, {kRoot, kAny});
    EXPECT_EQ(counted(space, state, 2, Rule::host_boundary), 1u);  // mid
    EXPECT_EQ(moves_of(space, state, 2).size(), 1u);
    state = walk(space, {kRoot, kAny, kRoot});
    EXPECT_TRUE(state.nest.kernels[1]->on_host);
    EXPECT_EQ(counted(space, state, 3, Rule::host_boundary), 1u);  // before
    EXPECT_EQ(moves_of(space, state, 3).size(), 1u);
}

TEST(DynamicAllocation, RejectsRegistersOfANumberThatHalideCannotKnow) {
    const Dag dag = down_and_up(1024, 512);
    const SearchSpace space(dag, kGpu, RuleSet(), Freedom::full);
    const State state = walk(space, {kRoot, kAny});
    EXPECT_EQ(counted(space, state, 2, Rule::dynamic_allocation), 1u);
    EXPECT_TRUE(found(moves_of(space, state, 2), kBlock)) << "shared memory may be of any size";
    EXPECT_FALSE(found(moves_of(space, state, 2), kThread));
}

TEST(DynamicAllocation, RejectsThreadsOfANumberThatTheDeviceMustKnowBefore) {
    const Dag dag = down_and_up(1024, 512);
    GpuModel gpu = kGpu;
    gpu.runtime_threads = 0;
    const SearchSpace space(dag, gpu, RuleSet(), Freedom::full);
    const State state = walk(space, {kRoot, kAny});
    EXPECT_FALSE(found(moves_of(space, state, 2), kBlock));
    EXPECT_FALSE(found(moves_of(space, state, 2), kThread));
    EXPECT_TRUE(found(moves_of(space, state, 2), kRoot));
}

TEST(HardwareThreads, RejectsAHaloThatNeedsTooManyThreads) {
    const Dag dag = two_stencils(1536, 1024);
    const SearchSpace space(dag, kGpu, RuleSet(), Freedom::full);
    const State state = walk(space, {kRoot, tiled({{1, 64}, {1, 16}})});
    const std::vector<Move> moves = moves_of(space, state, 2);
    EXPECT_EQ(rejection(space, state, *found(moves, in_block({1, 1}))),  // 66 x 18 = 1188
              Rule::hardware_threads);
    EXPECT_EQ(rejection(space, state, *found(moves, in_block({2, 1}))),  // 33 x 18 beside 64 x 16
              Rule::hardware_threads);
    EXPECT_EQ(rejection(space, state, *found(moves, in_block({2, 2}))), std::nullopt);
}

TEST(HardwareThreads, CountsTilingsOfSmallDevices) {
    const Dag dag = copy(512, 512);
    const GpuModel small = find_preset("opencl-generic").value();  // 256 threads per block
    const SearchSpace space(dag, small, RuleSet(), Freedom::full);
    EXPECT_GT(space.static_rejections()[static_cast<size_t>(Rule::hardware_threads)], 0u);
    for (const Move &move : moves_of(space, walk(space, {kRoot}), 1)) {
        EXPECT_LE((*move.tiling)[0].threads * (*move.tiling)[1].threads, 256);
    }
}

TEST(HardwareShared, RejectsWhatDoesNotFitIntoABlock) {
    const Dag dag = two_stencils(8192, 8192);
    const SearchSpace space(dag, kGpu, RuleSet(), Freedom::full);
    // 514 x 34 floats are 70 KB; at 8 x 4 points each, 585 threads.
    const State state = walk(space, {kRoot, tiled({{8, 64}, {4, 8}})});
    EXPECT_EQ(rejection(space, state, *found(moves_of(space, state, 2), in_block({8, 4}))),
              Rule::hardware_shared);
}

// 66 x 10 floats are 2640 bytes; where no element takes less than 16, they are 10560.
TEST(HardwareShared, CountsTheBytesThatAnElementTakesThere) {
    const Dag dag = two_stencils(1536, 1024);
    const auto answer = [&](int64_t element_bytes) {
        GpuModel gpu = kGpu;
        gpu.shared_bytes_per_block = 4096;
        gpu.shared_element_bytes = element_bytes;
        const SearchSpace space(dag, gpu, RuleSet(), Freedom::full);
        const State state = walk(space, {kRoot, tiled({{1, 64}, {1, 8}})});
        return rejection(space, state, *found(moves_of(space, state, 2), in_block({1, 1})));
    };
    EXPECT_EQ(answer(1), std::nullopt);
    EXPECT_EQ(answer(4), std::nullopt);
    EXPECT_EQ(answer(16), Rule::hardware_shared);
}

// 2^24 rows: at most 128 per block, so 131072 blocks in y.
TEST(HardwareGrid, RejectsTooManyBlocks) {
    const Dag dag = copy(512, 1 << 24);
    const SearchSpace space(dag, kGpu, RuleSet(), Freedom::full);
    const State state = walk(space, {kRoot});
    for (const Move &move : moves_of(space, state, 1)) {
        EXPECT_EQ(rejection(space, state, move), Rule::hardware_grid);
    }
}

TEST(ExcessRecompute, RejectsAFuncEvaluatedTooOften) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 65535}});
    b.reads(f, in, {at(0, 0, 3)}, 4).ops(f, OpKind::add, 8);
    b.reads(out, f, {at(0, 0, 15)}, 16);
    // 16 evaluations per point.
    expect_switchable(b.build(), {kRoot, tiled({{1, 64}})}, kThread, Rule::excess_recompute);
}

TEST(CodeSize, RejectsExpressionsThatMultiply) {
    // 9 calls of f1 in each f2, 81 of f0.
    expect_switchable(stencil_chain(3, 1536, 1024), {kRoot, kAny, kInline, kAny}, kInline,
                      Rule::code_size);
}

TEST(LargeThreadAllocation, RejectsArraysThatDoNotFitIntoRegisters) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), f = b.func("f", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 1023}, {"y", 0, 1023}});
    b.reads(f, in, {at(0, 0, 1), at(1)}, 2).ops(f, OpKind::add, 8);
    b.reads(out, f, {at(0, 0, 8), at(1, 0, 7)}, 72);
    const Dag dag = b.build();
    // A tile of 8 x 4: 16 x 11 = 176 points for 32, no excessive recomputation.
    expect_switchable(dag, {kRoot, tiled({{8, 32}, {4, 1}})}, kThread,
                      Rule::large_thread_allocation);
}

TEST(TileOfMost, RejectsAProducerInATileThatMayBeLargerThanTheOutput) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), f = b.func("f", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 191}, {"y", 0, 4095}});
    b.reads(f, in, {at(0, 0, 1), at(1)}, 2).ops(f, OpKind::add, 8);
    b.reads(out, f, {at(0, 0, 3), at(1)}, 4);
    const Dag dag = b.build();
    // 128 of 192 columns.
    expect_switchable(dag, {kRoot, tiled({{4, 32}, {1, 4}})}, kBlock, Rule::tile_of_most);
}

// What root_tilings rejects, it counts under one rule, and gives when the rule is off.
void expect_fewer_tilings(const Dag &dag, Rule rule) {
    const SearchSpace on(dag, kGpu, RuleSet(), Freedom::full);
    const SearchSpace off(dag, kGpu, without(rule), Freedom::full);
    EXPECT_GT(on.static_rejections()[static_cast<size_t>(rule)], 0u) << name(rule);
    EXPECT_EQ(off.static_rejections()[static_cast<size_t>(rule)], 0u) << name(rule);
    EXPECT_LT(moves_of(on, walk(on, {kRoot}), 1).size(),
              moves_of(off, walk(off, {kRoot}), 1).size())
        << name(rule);
}

TEST(IdleSms, RejectsFewLargeBlocksWhereManyAreToBeHad) {
    expect_fewer_tilings(copy(512, 256), Rule::idle_sms);
}

TEST(LowLaneUse, RejectsLessThanAWarp) {
    expect_fewer_tilings(copy(4096, 4096), Rule::low_lane_use);
}

TEST(SerialTooLarge, RejectsTilesThatAreTooLargeToUnroll) {
    expect_fewer_tilings(copy(4096, 4096), Rule::serial_too_large);
}

}  // namespace
}  // namespace autoschedule_gpu
