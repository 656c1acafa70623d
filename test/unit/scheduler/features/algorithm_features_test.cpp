// What stages compute, whatever their schedule, and how much of a device their blocks take.
#include "scheduler/features/algorithm_features.h"

#include "scheduler/features/flat_stage.h"
#include "unit/scheduler/features/features_of.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

AlgorithmFeatures algorithm_of(const Dag &dag, const std::string &stage,
                               const std::vector<FuncId> &inlined = {}) {
    return flatten(dag, find_stage(dag, stage), inlined).algorithm;
}

TEST(AlgorithmFeatures, OfAStencilAreItsOperations) {
    const AlgorithmFeatures f = algorithm_of(two_stencils(512, 256), "f1");
    EXPECT_EQ(f.ops_add, 8);
    EXPECT_EQ(f.ops_mul, 1);
    EXPECT_EQ(f.ops_on_singles, 9);
    EXPECT_EQ(f.ops_on_integers, 0);
    EXPECT_EQ(f.loads, 9);
    EXPECT_EQ(f.gathers, 0);
    EXPECT_EQ(f.self_loads, 0);
    EXPECT_EQ(f.bytes_per_point, 4);
    EXPECT_EQ(f.dimensions, 2);
    EXPECT_EQ(f.reduction_loops, 0);
    EXPECT_EQ(f.inlined_funcs, 0);
}

// Nine evaluations of f0 for each of f1.
TEST(AlgorithmFeatures, OfInlinedFuncsCountForEachCall) {
    const Dag dag = two_stencils(512, 256);
    const AlgorithmFeatures f = algorithm_of(dag, "f1", {find_func(dag, "f0")});
    EXPECT_EQ(f.ops_add, 8 + 9 * 8);
    EXPECT_EQ(f.ops_mul, 1 + 9);
    EXPECT_EQ(f.loads, 81);
    EXPECT_EQ(f.inlined_funcs, 1);
}

TEST(AlgorithmFeatures, OfUpdatesAndGathers) {
    const AlgorithmFeatures product = algorithm_of(matmul_output(512), "out.update(0)");
    EXPECT_EQ(product.reduction_loops, 1);
    EXPECT_EQ(product.self_loads, 1);
    EXPECT_EQ(product.loads, 3);
    const AlgorithmFeatures look_up = algorithm_of(gather(512, 256), "out");
    EXPECT_EQ(look_up.gathers, 1);
    EXPECT_EQ(look_up.loads, 1);  // of the index
}

// a + b has 2; with both inlined, which have 2 themselves, 3; with one of them, 2.
TEST(FlatBranching, GrowsWhereWideOperandsMeet) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), left = b.func("left", {"x"});
    const FuncId right = b.func("right", {"x"}), out = b.output("out", {{"x", 0, 511}});
    b.reads(left, in, {at(0, 0, 1)}, 2).reads(right, in, {at(0, 2, 3)}, 2);
    b.reads(out, left, {at(0)}).reads(out, right, {at(0)});
    Dag dag = b.build();
    for (Stage &stage : dag.stages) stage.branching = 2;
    const StageId stage = find_stage(dag, "out");
    EXPECT_EQ(flatten(dag, stage, {}).branching, 2);
    EXPECT_EQ(flatten(dag, stage, {left}).branching, 2);
    EXPECT_EQ(flatten(dag, stage, {left, right}).branching, 3);
    // A copy of something wide is as wide.
    dag.stages[stage.index()].branching = 1;
    EXPECT_EQ(flatten(dag, stage, {left, right}).branching, 2);
}

// 256 threads: an SM of an A100 holds 2048, so 8 blocks of at most 32, all of its warps.
TEST(OccupancyFeatures, OfACopyAreFull) {
    const Features f = features_of(copy(512, 256), "kernel out\n  out threads x=32 y=8\n");
    f.expect_kernel({{"block_occupancy", 256 / 1024.0},
                     {"max_warp_occupancy", 1},
                     {"max_block_occupancy", 8 / 32.0},
                     {"shared_mem_occupancy", 0},
                     {"shared_mem_block_limit_factor", 1},
                     // 512 blocks on 108 SMs are 4.74 rounds, and take 5.
                     {"idle_core_wastage", 5 * 108 / 512.0}});
    f.expect_stage("out", {{"idle_lane_wastage", 0}});
}

TEST(OccupancyFeatures, OfSharedMemoryAreItsShareOfTheDevices) {
    const GpuModel gpu = find_preset("a100").value();
    const Features f = features_of(two_stencils(512, 256),
                                   "kernel f1\n"
                                   "  f0 threads x=34 y=10\n"
                                   "  f1 threads x=32 y=8\n");
    const int64_t bytes = 34 * 10 * 4;
    EXPECT_EQ(gpu.shared_bytes_per_block, 48 * 1024);
    const double fit = static_cast<double>(gpu.shared_bytes_per_sm /
                                           (bytes + gpu.shared_reserved_bytes_per_block));
    f.expect_kernel({{"shared_mem_occupancy", bytes / (48.0 * 1024)},
                     {"shared_mem_block_limit_factor", std::min(1.0, fit / 32)},
                     {"staged_bytes_per_block", 0}});
    // The first eight warps of f1 have 242 of 256 lanes busy, with a word each of the 32 that a
    // pass through the banks hands out. Those of f0 have all.
    f.expect_stage(
        "f1", {{"idle_lane_wastage", 32 / 1024.0}, {"shared_mem_load_efficiency", 242 / 256.0}});
    f.expect_stage("f0", {{"idle_lane_wastage", (11 * 32 - 340) / 1024.0},
                          {"shared_mem_store_efficiency", 1}});
}

}  // namespace
}  // namespace autoschedule_gpu
