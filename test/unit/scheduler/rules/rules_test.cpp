// Every rule, where the space asks it: by a case that nothing else rejects.
#include <gtest/gtest.h>

#include "scheduler/model/roofline.h"
#include "scheduler/nest/edit.h"
#include "scheduler/search/plain.h"
#include "scheduler/space/tilings.h"
#include "scheduler/space/wrappers.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"
#include "unit/scheduler/space/walk.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

uint64_t counted(const SearchSpace &space, const State &state, size_t step, const char *rule) {
    RuleCounts counts;
    (void)space.decisions(state, space.steps()[step], Retile::no, counts);
    return example::counted(counts, rule);
}

// What a move that `wanted` picks is rejected by, with all rules and without `rule`.
void expect_switchable(const Dag &dag, const std::vector<Wanted> &before, const Wanted &wanted,
                       const std::string &rule) {
    for (const bool on : {true, false}) {
        const SearchSpace space(dag, kGpu, on ? RuleBook() : without(rule), Freedom::full);
        const State state = walk(space, before);
        const auto decision = found(moves_of(space, state, before.size()), wanted);
        ASSERT_TRUE(decision) << rule;
        EXPECT_EQ(rejection(space, state, *decision), on ? std::optional(rule) : std::nullopt)
            << rule << (on ? " on" : " off");
    }
}

TEST(HalideNesting, RejectsFusionWhenConsumersAreInSeveralKernels) {
    const Dag dag = diamond(1024, 512);
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    const State state = walk(space, {kRoot, kAny, kRoot, kAny, kRoot, kAny});
    EXPECT_EQ(counted(space, state, 6, "halide_nesting"), 1u);
    EXPECT_FALSE(found(moves_of(space, state, 6), kBlock));
    EXPECT_FALSE(found(moves_of(space, state, 6), kThread));
}

TEST(HalideNesting, RejectsAThreadWhenConsumersAreInSeveralThreads) {
    const Dag dag = diamond(1024, 512);
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    const State state = walk(space, {kRoot, tiled({{1, 32}, {1, 8}}), kBlock, kAny, kBlock, kAny});
    EXPECT_EQ(counted(space, state, 6, "halide_nesting"), 1u);
    EXPECT_TRUE(found(moves_of(space, state, 6), kBlock));
    EXPECT_FALSE(found(moves_of(space, state, 6), kThread));
}

TEST(HalideNesting, AllowsTheOnlyBlockOfAKernelOfOneThreadButNotItsThread) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"}), out = b.output("out", {});
    b.reads(f, in, {at(0, 0, 8)}, 9).ops(f, OpKind::add, 8);
    const StageId sum = b.update(out, {b.reduction("r", 0, 99)}, {});
    b.reads(sum, f, {at(0, 0, 1)}, 2);
    const Dag dag = b.build();
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    const State state = walk(space, {kRoot, kAny, kAny});
    EXPECT_EQ(counted(space, state, 3, "halide_nesting"), 1u);
    EXPECT_TRUE(found(moves_of(space, state, 3), kBlock));
    EXPECT_FALSE(found(moves_of(space, state, 3), kThread));
}

TEST(HostBoundary, KeepsHostStagesAndTheirProducersOutOfKernels) {
    const Dag dag = host_in_the_middle(512, 256);
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    State state = walk(space, {kRoot, kAny});
    EXPECT_EQ(counted(space, state, 2, "host_boundary"), 1u);  // mid
    EXPECT_EQ(moves_of(space, state, 2).size(), 1u);
    state = walk(space, {kRoot, kAny, kRoot});
    EXPECT_TRUE(state.nest.kernels[1]->on_host);
    EXPECT_EQ(counted(space, state, 3, "host_boundary"), 1u);  // before
    EXPECT_EQ(moves_of(space, state, 3).size(), 1u);
}

TEST(DynamicAllocation, RejectsRegistersOfANumberThatHalideCannotKnow) {
    const Dag dag = down_and_up(1024, 512);
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    const State state = walk(space, {kRoot, kAny});
    EXPECT_EQ(counted(space, state, 2, "dynamic_allocation"), 1u);
    EXPECT_TRUE(found(moves_of(space, state, 2), kBlock)) << "shared memory may be of any size";
    EXPECT_FALSE(found(moves_of(space, state, 2), kThread));
}

TEST(DynamicAllocation, RejectsThreadsOfANumberThatTheDeviceMustKnowBefore) {
    const Dag dag = down_and_up(1024, 512);
    GpuModel gpu = kGpu;
    gpu.runtime_threads = 0;
    const SearchSpace space(dag, gpu, RuleBook(), Freedom::full);
    const State state = walk(space, {kRoot, kAny});
    EXPECT_FALSE(found(moves_of(space, state, 2), kBlock));
    EXPECT_FALSE(found(moves_of(space, state, 2), kThread));
    EXPECT_TRUE(found(moves_of(space, state, 2), kRoot));
}

TEST(HardwareThreads, RejectsAHaloThatNeedsTooManyThreads) {
    const Dag dag = two_stencils(1536, 1024);
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    const State state = walk(space, {kRoot, tiled({{1, 64}, {1, 16}})});
    const std::vector<Decision> moves = moves_of(space, state, 2);
    EXPECT_EQ(rejection(space, state, *found(moves, in_block({1, 1}))),  // 66 x 18 = 1188
              "hardware_threads");
    EXPECT_EQ(rejection(space, state, *found(moves, in_block({2, 1}))),  // 33 x 18 beside 64 x 16
              "hardware_threads");
    EXPECT_EQ(rejection(space, state, *found(moves, in_block({2, 2}))), std::nullopt);
}

// Whoever makes a tiling: not all of them are listed.
TEST(HardwareThreads, RejectsMoreLoopsWithThreadsThanABlockHasDimensions) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y", "z", "w"});
    const FuncId out = b.output("out", {{"x", 0, 63}, {"y", 0, 63}, {"z", 0, 15}, {"w", 0, 7}});
    b.reads(out, in, {at(0), at(1), at(2), at(3)});
    const Dag dag = b.build();
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    const State state = walk(space, {kRoot});
    const Tiling three = {{1, 16}, {1, 4}, {1, 4}, {1, 1}},
                 four = {{1, 16}, {1, 4}, {1, 2}, {1, 2}};
    EXPECT_EQ(rejection(space, state, decide_tiling(out, 0, three)), std::nullopt);
    EXPECT_EQ(rejection(space, state, decide_tiling(out, 0, four)), "hardware_threads");
}

TEST(HardwareThreads, CountsTilingsOfSmallDevices) {
    const Dag dag = copy(512, 512);
    const GpuModel small = find_preset("opencl-generic").value();  // 256 threads per block
    const SearchSpace space(dag, small, RuleBook(), Freedom::full);
    EXPECT_GT(example::counted(space.static_rejections(), "hardware_threads"), 0u);
    for (const Decision &decision : moves_of(space, walk(space, {kRoot}), 1)) {
        EXPECT_LE((*decision.tiling)[0].threads * (*decision.tiling)[1].threads, 256);
    }
}

TEST(HardwareShared, RejectsWhatDoesNotFitIntoABlock) {
    const Dag dag = two_stencils(8192, 8192);
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    // 514 x 34 floats are 70 KB; at 8 x 4 points each, 585 threads.
    const State state = walk(space, {kRoot, tiled({{8, 64}, {4, 8}})});
    EXPECT_EQ(rejection(space, state, *found(moves_of(space, state, 2), in_block({8, 4}))),
              "hardware_shared");
}

// 66 x 10 floats are 2640 bytes; where no element takes less than 16, they are 10560.
TEST(HardwareShared, CountsTheBytesThatAnElementTakesThere) {
    const Dag dag = two_stencils(1536, 1024);
    const auto answer = [&](int64_t element_bytes) {
        GpuModel gpu = kGpu;
        gpu.shared_bytes_per_block = 4096;
        gpu.shared_element_bytes = element_bytes;
        const SearchSpace space(dag, gpu, RuleBook(), Freedom::full);
        const State state = walk(space, {kRoot, tiled({{1, 64}, {1, 8}})});
        return rejection(space, state, *found(moves_of(space, state, 2), in_block({1, 1})));
    };
    EXPECT_EQ(answer(1), std::nullopt);
    EXPECT_EQ(answer(4), std::nullopt);
    EXPECT_EQ(answer(16), "hardware_shared");
}

// 2^24 rows: at most 128 per block, so 131072 blocks in y.
TEST(HardwareGrid, RejectsTooManyBlocks) {
    const Dag dag = copy(512, 1 << 24);
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    const State state = walk(space, {kRoot});
    for (const Decision &decision : moves_of(space, state, 1)) {
        EXPECT_EQ(rejection(space, state, decision), "hardware_grid");
    }
    const Dag less = copy(512, 1 << 20);
    const SearchSpace enough(less, kGpu, RuleBook(), Freedom::full);
    const State start = walk(enough, {kRoot});
    EXPECT_EQ(rejection(enough, start, moves_of(enough, start, 1).back()), std::nullopt);
}

TEST(ExcessRecompute, RejectsAFuncEvaluatedTooOften) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 65535}});
    b.reads(f, in, {at(0, 0, 3)}, 4).ops(f, OpKind::add, 8);
    b.reads(out, f, {at(0, 0, 15)}, 16);
    // 16 evaluations per point.
    expect_switchable(b.build(), {kRoot, tiled({{1, 64}})}, kThread, "excess_recompute");
}

TEST(CodeSize, RejectsExpressionsThatMultiply) {
    // 9 calls of f1 in each f2, 81 of f0.
    expect_switchable(stencil_chain(3, 1536, 1024), {kRoot, kAny, kInline, kAny}, kInline,
                      "code_size");
}

TEST(LoweringTime, RejectsExpressionsThatHalideTakesLongToLower) {
    Dag dag = stencil_chain(2, 1536, 1024);
    for (Stage &stage : dag.stages) stage.nodes = 1000;
    expect_switchable(dag, {kRoot, tiled({{1, 32}, {1, 8}})}, kInline, "lowering_time");
}

// Else what a search has found would be forbidden to what goes on from there, with wrappers.
TEST(LoweringTime, MayBeNoLessForWrappers) {
    Dag dag = stencil_chain(24, 1536, 1024);
    for (Stage &stage : dag.stages) stage.nodes = 1000;
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    const State plain = plain_state(space, Roofline(kGpu));
    const WrappedReads wrapped = with_wrapped_reads(dag, plain.nest);
    ASSERT_GT(wrapped.wrappers.size(), 4u);
    const SearchSpace wider(wrapped.dag, kGpu, RuleBook(), Freedom::full);
    const auto limit = [](const SearchSpace &searched, const State &state) {
        const FuncId func = searched.dag().stage(state.nest.kernels[1]->stage).func;
        return searched.rejection(*inline_func(state.nest.kernels[0], func));
    };
    const auto before = limit(space, plain), after = limit(wider, wider.adopt(wrapped.nest));
    ASSERT_TRUE(before);
    ASSERT_TRUE(after);
    EXPECT_EQ(space.rules()[before->rule].name, "lowering_time");
    EXPECT_LE(before->why.allowed, after->why.allowed);
}

// Else what a search has found, in an order of its own, would be forbidden to who follows it.
TEST(LoweringTime, IsThatWithCopiesThatAreToCome) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), copied = b.func("copied", {"x"});
    const FuncId f = b.func("f", {"x"});
    std::vector<FuncId> others;
    for (int i = 0; i < 40; ++i) others.push_back(b.func("other" + std::to_string(i), {"x"}));
    const FuncId out = b.output("out", {{"x", 0, 65535}});
    b.reads(copied, in, {at(0)}, 1);
    b.reads(f, copied, {at(0, 0, 3)}, 4).ops(f, OpKind::add, 8);
    b.reads(out, f, {at(0, 0, 3)}, 4);
    for (const FuncId other : others) {
        b.reads(other, in, {at(0)}, 1).ops(other, OpKind::add, 8);
        b.reads(out, other, {at(0)}, 1);
    }
    Dag dag = b.build();
    for (Stage &stage : dag.stages) stage.nodes = 5000;
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    const KernelPtr with_f = inline_func(walk(space, {kRoot}).nest.kernels[0], f);
    const auto before = space.rejection(*with_f);
    const auto after = space.rejection(*inline_func(with_f, copied));
    ASSERT_TRUE(before && after);
    EXPECT_EQ(space.rules()[before->rule].name, "lowering_time");
    EXPECT_EQ(before->why.allowed, after->why.allowed);
    EXPECT_EQ(before->why.found, after->why.found);
}

TEST(LargeThreadAllocation, RejectsArraysThatDoNotFitIntoRegisters) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), f = b.func("f", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 1023}, {"y", 0, 1023}});
    b.reads(f, in, {at(0, 0, 1), at(1)}, 2).ops(f, OpKind::add, 8);
    b.reads(out, f, {at(0, 0, 8), at(1, 0, 7)}, 72);
    const Dag dag = b.build();
    // A tile of 8 x 4: 16 x 11 = 176 points for 32, no excessive recomputation.
    expect_switchable(dag, {kRoot, tiled({{8, 32}, {4, 1}})}, kThread, "large_thread_allocation");
}

TEST(TileOfMost, RejectsAProducerInATileThatMayBeLargerThanTheOutput) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), f = b.func("f", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 191}, {"y", 0, 4095}});
    b.reads(f, in, {at(0, 0, 1), at(1)}, 2).ops(f, OpKind::add, 8);
    b.reads(out, f, {at(0, 0, 3), at(1)}, 4);
    const Dag dag = b.build();
    // 128 of 192 columns.
    expect_switchable(dag, {kRoot, tiled({{4, 32}, {1, 4}})}, kBlock, "tile_of_most");
}

// What root_tilings rejects, it counts under one rule, and gives when the rule is off.
void expect_fewer_tilings(const Dag &dag, const std::string &rule) {
    const SearchSpace on(dag, kGpu, RuleBook(), Freedom::full);
    const SearchSpace off(dag, kGpu, without(rule), Freedom::full);
    EXPECT_GT(example::counted(on.static_rejections(), rule), 0u) << rule;
    EXPECT_EQ(example::counted(off.static_rejections(), rule), 0u) << rule;
    EXPECT_LT(moves_of(on, walk(on, {kRoot}), 1).size(),
              moves_of(off, walk(off, {kRoot}), 1).size())
        << rule;
}

TEST(IdleSms, RejectsFewLargeBlocksWhereManyAreToBeHad) {
    expect_fewer_tilings(copy(512, 256), "idle_sms");
}

TEST(LowLaneUse, RejectsLessThanAWarp) {
    expect_fewer_tilings(copy(4096, 4096), "low_lane_use");
}

TEST(SerialTooLarge, RejectsTilesThatAreTooLargeToUnroll) {
    expect_fewer_tilings(copy(4096, 4096), "serial_too_large");
}

bool shares_reductions(const Dag &dag, const RuleBook &rules, const char *stage,
                       RuleCounts &counts) {
    const std::vector<Tiling> tilings =
        root_tilings(dag, kGpu, rules, find_stage(dag, stage), counts);
    return std::ranges::any_of(tilings.back(), &LoopTile::atomic);
}

TEST(InexactAtomics, RejectsSumsWhoseRoundingVaries) {
    const Dag rounding = row_histograms(640, 480, Atomics::rounding);
    RuleCounts counts;
    EXPECT_FALSE(shares_reductions(rounding, RuleBook(), "hist.update(0)", counts));
    EXPECT_EQ(example::counted(counts, "inexact_atomics"), 1u);
    EXPECT_TRUE(shares_reductions(rounding, without("inexact_atomics"), "hist.update(0)", counts));
    const Dag exact = row_histograms(640, 480);
    EXPECT_TRUE(shares_reductions(exact, RuleBook(), "hist.update(0)", counts));
    EXPECT_EQ(example::counted(counts, "inexact_atomics"), 1u);
}

TEST(AmpleParallelism, RejectsAtomicsWhereOtherLoopsFillTheDevice) {
    // 108 SMs of 2048 threads.
    const Dag enough = row_sums(128, 108 * 2048), less = row_sums(128, 108 * 2048 - 1);
    RuleCounts counts;
    EXPECT_TRUE(shares_reductions(less, RuleBook(), "rows.update(0)", counts));
    EXPECT_EQ(example::counted(counts, "ample_parallelism"), 0u);
    EXPECT_FALSE(shares_reductions(enough, RuleBook(), "rows.update(0)", counts));
    EXPECT_EQ(example::counted(counts, "ample_parallelism"), 1u);
    EXPECT_TRUE(shares_reductions(enough, without("ample_parallelism"), "rows.update(0)", counts));
}

// ---- where the line is

std::string answer(const RuleBook &rules, const std::optional<Rejection> &no) {
    return no ? rules.text(*no) : "";
}

std::string early(int64_t serial, int64_t threads, int thread_loops) {
    const Dag dag = copy(4096, 4096);
    const RuleBook rules;
    TilingCandidate c{.dag = dag, .gpu = kGpu, .stage = find_stage(dag, "out"), .tiling = {}};
    c.serial_points = serial;
    c.threads = threads;
    c.thread_loops = thread_loops;
    return answer(rules, rules.rejection(c, TilingCandidate::Asked::early));
}

TEST(TilingRules, SayWhatTheyFindBeyondTheLine) {
    EXPECT_EQ(early(32, 1024, 3), "");
    EXPECT_EQ(early(33, 1, 0), "serial_too_large: 33 points per thread, the rule allows 32");
    EXPECT_EQ(early(1, 1025, 2),
              "hardware_threads: 1,025 threads per block, the device allows 1,024");
    EXPECT_EQ(early(1, 16, 4), "hardware_threads: 4 loops with threads, the device allows 3");
}

std::string wish(int64_t threads, int64_t most_threads, int64_t blocks, int64_t most_blocks) {
    const Dag dag = copy(4096, 4096);
    const RuleBook rules;
    TilingCandidate c{.dag = dag, .gpu = kGpu, .stage = find_stage(dag, "out"), .tiling = {}};
    c.threads = threads;
    c.most_threads = most_threads;
    c.blocks = blocks;
    c.most_blocks = most_blocks;
    return answer(rules, rules.rejection(c, TilingCandidate::Asked::wish));
}

TEST(Wishes, GiveWayWhereNoTilingFulfilsThem) {
    EXPECT_EQ(wish(32, 1024, 216, 10000), "");
    EXPECT_EQ(wish(31, 1024, 216, 10000),
              "low_lane_use: 31 threads per block, the rule asks for 32");
    EXPECT_EQ(wish(8, 8, 216, 10000), "");
    EXPECT_EQ(wish(32, 1024, 215, 10000), "idle_sms: 215 blocks, the rule asks for 216");
    EXPECT_EQ(wish(32, 1024, 100, 100), "");
}

// f is read at `points` neighbours by each point of a line of 65536.
std::string in_thread(int64_t points, bool is_copy = false) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 65535}});
    b.reads(f, in, {at(0)}).ops(f, OpKind::add, 8).reads(out, f, {at(0, 0, points - 1)});
    const Dag dag = b.build();
    const RuleBook rules;
    const KernelPtr kernel = make_kernel(dag, find_stage(dag, "out"), {{1, 64}});
    const std::vector<int64_t> extents{points};
    return answer(rules,
                  rules.rejection(FusionCandidate{dag, kGpu, *kernel, f, root_threads(*kernel),
                                                  StageId(), extents, is_copy}));
}

TEST(FusionRules, SayWhatTheyFindBeyondTheLine) {
    EXPECT_EQ(in_thread(10), "");
    EXPECT_EQ(in_thread(11),
              "excess_recompute: 11.0 evaluations for each at root, the rule allows 10");
    EXPECT_EQ(in_thread(64, true), "");
    EXPECT_EQ(in_thread(65, true),
              "large_thread_allocation: 65 points of an array per thread, the rule allows 64");
}

TEST(NestedFusion, IsInTheLoopOrTheThreadsOfAnotherFunc) {
    const Dag dag = stencil_chain(3, 1536, 1024);
    RuleBook flat;
    flat.switch_on(id_of("nested_fusion"));
    const StageId out = find_stage(dag, "f2"), in_block = find_stage(dag, "f1");
    const KernelPtr kernel = compute_in_block(dag, make_kernel(dag, out, {{1, 32}, {1, 8}}),
                                              find_func(dag, "f1"), {34, 10}, {1, 1});
    const std::vector<int64_t> extents{3, 1};
    const auto asked = [&](const RuleBook &rules, const Band *site, StageId loop) {
        const FuncId func = find_func(dag, "f0");
        return answer(rules, rules.rejection(FusionCandidate{dag, kGpu, *kernel, func, site, loop,
                                                             extents, false}))
            .substr(0, 14);
    };
    EXPECT_EQ(asked(flat, find_threads(*kernel, in_block), {}), "nested_fusion:");
    EXPECT_EQ(asked(flat, nullptr, in_block), "nested_fusion:");
    EXPECT_EQ(asked(flat, root_threads(*kernel), {}), "");
    EXPECT_EQ(asked(flat, nullptr, {}), "");
    EXPECT_EQ(asked(RuleBook(), find_threads(*kernel, in_block), {}), "");
}

// sum, in order, read by a copy of it, and that by an update of out.
std::string sum_in_block(bool under_condition, bool in_threads = false) {
    DagBuilder b;
    const FuncId in = b.input("in", {"r", "x"}), sum = b.func("sum", {"x"});
    const FuncId copy = b.func("copy", {"x"}), total = b.func("total", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 65535}});
    const StageId adds = b.update(sum, {b.over(0, "x"), b.reduction("r", 0, 9)}, {at(0)});
    b.reads(adds, sum, {at(0)}).reads(adds, in, {at(1), at(0)}).reads(copy, sum, {at(0)});
    const StageId reader = b.update(total, {b.over(0, "x"), b.reduction("p", 0, 3)}, {at(0)});
    b.reads(reader, total, {at(0)}).reads(reader, copy, {at(0)}).reads(out, total, {at(0)});
    Dag dag = b.build();
    dag.stages[reader.index()].has_predicate = under_condition;
    const KernelPtr kernel = make_kernel(dag, find_stage(dag, "out"), {{1, 64}});
    const std::vector<int64_t> extents{in_threads ? 1 : 64};
    const Band *site = in_threads ? root_threads(*kernel) : nullptr;
    return answer(RuleBook(), RuleBook().rejection(FusionCandidate{dag, kGpu, *kernel, sum, site,
                                                                   StageId(), extents, false}))
        .substr(0, 16);
}

// A Func that the loop of a sum reads, computed in a block.
std::string read_in_a_loop_that(bool may_be_empty, const RuleBook &rules) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), copy = b.func("copy", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 65535}});
    const StageId reader = b.update(out, {b.over(0, "x"), b.reduction("r", 0, 9)}, {at(0)});
    b.reads(copy, in, {at(0)}).reads(reader, out, {at(0)}).reads(reader, copy, {at(0)});
    Dag dag = b.build();
    dag.stages[reader.index()].loops[1].may_be_empty = may_be_empty;
    const KernelPtr kernel = make_kernel(dag, reader, {{1, 64}});
    const std::vector<int64_t> extents{64};
    return answer(rules, rules.rejection(FusionCandidate{dag, kGpu, *kernel, copy, nullptr,
                                                         StageId(), extents, false}))
        .substr(0, 17);
}

struct NoNeeds : BlockNeeds {
    std::vector<int64_t> needed_in_block(const Kernel &, FuncId, BlockLoop) override { return {}; }
};

// A kernel of an update in whose threads four points are summed up from a copy of what they read.
std::string sums_beside_a_copy(const std::string &copy, int64_t points) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), held = b.func("held", {"x"});
    const FuncId twice = b.func("twice", {"x"}), out = b.output("out", {{"x", 0, 65535}});
    b.reads(held, in, {at(0)}).reads(twice, held, {at(0)});
    const StageId adds = b.update(out, {b.over(0, "x")}, {at(0)});
    b.reads(adds, out, {at(0)}).reads(adds, twice, {at(0)});
    const Dag dag = b.build();
    const Nest nest = parsed(
        dag, "kernel out\n  out threads x=32\nkernel out.update(0)\n" + copy +
                 "  out.update(0) threads x=32\n    twice serial x=" + std::to_string(points) +
                 "\n    out.update(0) serial x=" + std::to_string(points) + "\n");
    const std::vector<bool> none(dag.funcs.size());
    NoNeeds needs;
    const KernelCandidate candidate{dag, kGpu, *nest.kernels[1], none, none, needs};
    const RuleBook rules;
    return answer(rules, rules.rejection(candidate, KernelCandidate::Asked::complete))
        .substr(0, 18);
}

TEST(GuardedRegisters, AreOfSeveralPointsBesideBarriers) {
    const std::string copy = "  held threads x=32\n";
    EXPECT_EQ(sums_beside_a_copy(copy, 4), "guarded_registers:");
    EXPECT_EQ(sums_beside_a_copy(copy, 1), "");
    EXPECT_EQ(sums_beside_a_copy("", 4), "");
}

TEST(GuardedBarriers, AreOfReductionsInOrderThatAreReadUnderConditions) {
    EXPECT_EQ(sum_in_block(true), "guarded_barrier:");
    EXPECT_EQ(sum_in_block(false), "");
    EXPECT_EQ(sum_in_block(true, true), "") << "a thread has no barrier";
}

TEST(DoubtfulBarriers, AreBeforeLoopsThatMayBeEmpty) {
    RuleBook asked;
    asked.switch_on(id_of("doubtful_barrier"));
    EXPECT_EQ(read_in_a_loop_that(true, asked), "doubtful_barrier:");
    EXPECT_EQ(read_in_a_loop_that(false, asked), "");
    EXPECT_EQ(read_in_a_loop_that(true, RuleBook()), "");
}

// Of a Func with updates and of one without, in the threads of out and in its block.
TEST(UpdatesInRegisters, AreFuncsWithUpdatesInThreads) {
    const Dag dag = matmul_of_copies(512);
    RuleBook forbidding;
    forbidding.switch_on(id_of("updates_in_registers"));
    const KernelPtr kernel = make_kernel(dag, find_stage(dag, "out"), {{1, 16}, {1, 8}});
    const std::vector<int64_t> extents{1, 1};
    const auto asked = [&](const RuleBook &rules, const char *func, const Band *site) {
        return answer(rules,
                      rules.rejection(FusionCandidate{dag, kGpu, *kernel, find_func(dag, func),
                                                      site, StageId(), extents, false}))
            .substr(0, 21);
    };
    const Band *threads = root_threads(*kernel);
    EXPECT_EQ(asked(forbidding, "prod", threads), "updates_in_registers:");
    EXPECT_EQ(asked(forbidding, "prod", nullptr), "");
    EXPECT_EQ(asked(forbidding, "left", threads), "");
    EXPECT_EQ(asked(RuleBook(), "prod", threads), "");
}

}  // namespace
}  // namespace autoschedule_gpu
