#include "scheduler/model/analytical.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/gpu/occupancy.h"
#include "scheduler/features/feature_extractor.h"
#include "scheduler/nest/edit.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

// The device of the paper's example: compute capability 7.5, 64 KiB of shared memory.
const GpuModel kTuring = find_preset("rtx2080ti").value();

FeatureTable table_of(const Dag &dag, std::string_view text, const GpuModel &gpu = kTuring) {
    return FeatureExtractor(dag, gpu).extract(*parsed(dag, text).kernels[0]);
}

// §3: 64 registers, 2048 bytes of shared memory and 512 threads per block are 100 % occupancy.
TEST(Analytical, GivesTheOccupancyOfThePapersExample) {
    const Analytical::Activity activity = Analytical(kTuring).activity(512, 2048, 1000);
    EXPECT_EQ(activity.occupancy, 1.0);
    EXPECT_EQ(activity.active_threads, 1024);  // two blocks of 512: all that an SM of it holds
    EXPECT_EQ(activity.active_sms, 68);
    EXPECT_EQ(occupancy(kTuring, 512, 64, 2048).warp_occupancy, 1.0);
}

// §3: Z is tiled 32 x 12; W needs two rows more on either side, so that the block has 32 x 16
// threads and W takes 32 x 16 x 4 = 2048 bytes.
TEST(Analytical, SeesTheBlockOfThePapersExampleGrow) {
    const Dag dag = kwz(1536, 2560);
    const FeatureTable table = table_of(
        dag, "inline: H K\nkernel Z\n  W threads x=32 y=16\n    W serial\n  Z threads x=32 y=12\n");
    EXPECT_EQ(table.kernel.threads_per_block, 512);
    EXPECT_EQ(table.kernel.shared_bytes_per_block, 2048);
    const Analytical::Group group = Analytical(kTuring).evaluate(table);
    EXPECT_EQ(group.tiles, 48 * 214);  // 1536 / 32, 2560 / 12 rounded up
    EXPECT_EQ(group.handicap, 1);
    // W: 512 threads, two blocks per SM. Z: 384, of which two fit as well: 24 of 32 warps.
    EXPECT_EQ(group.least.occupancy, 0.75);
    EXPECT_EQ(group.least.active_threads, 768);
}

// Registers are estimated from what the SM has: never more than an SM holds for its threads.
TEST(Analytical, EstimatesRegistersFromTheThreads) {
    const Analytical model(kTuring);
    for (double threads : {32.0, 64.0, 256.0, 512.0, 1024.0}) {
        EXPECT_EQ(model.activity(threads, 0, 1e6).active_threads,
                  threads * std::floor(1024 / std::max(threads, 64.0)))
            << threads << ": 16 blocks of an SM at most, else 1024 threads";
    }
}

TEST(Analytical, CountsOneStageByHand) {
    // 32 x 8 threads copy one float each, no arithmetic. A row of 128 bytes is four sectors of 32
    // bytes; since it may start anywhere, (128 + 32 - 4) / 32 = 4.875 are asked for.
    const Dag dag = copy(4096, 4096);
    const FeatureTable table = table_of(dag, "kernel out\n  out threads x=32 y=8\n");
    const Analytical::Group group = Analytical(kTuring).evaluate(table);
    EXPECT_EQ(group.arithmetic, 0);
    EXPECT_EQ(group.tiles, 128 * 512);
    // Every sector comes from DRAM once, and from L2 for the neighbour that it is shared with.
    EXPECT_DOUBLE_EQ(group.memory,
                     32 * kTuring.dram_latency_cycles + (39 - 32) * kTuring.l2_latency_cycles);
    EXPECT_EQ(group.least.occupancy, 1);
    EXPECT_DOUBLE_EQ(group.tiling_cost(), group.tiles * group.memory / 1024);
    EXPECT_DOUBLE_EQ(group.merging_cost(), group.tiles * group.memory);
    double cost = 0;
    Analytical(kTuring).estimate({&table, 1}, {&cost, 1});
    EXPECT_DOUBLE_EQ(cost, group.tiling_cost() / 68 / kTuring.clock_ghz);
    Analytical(kTuring, Analytical::Phase::merging).estimate({&table, 1}, {&cost, 1});
    EXPECT_DOUBLE_EQ(cost, group.merging_cost() / 68 / kTuring.clock_ghz);
}

// The multiplications and additions of a stage are scaled by its own activity, not the group's.
TEST(Analytical, ScalesArithmeticByTheActivityOfEachStage) {
    const Dag dag = kwz(1536, 2560);
    const FeatureTable table = table_of(
        dag, "inline: H K\nkernel Z\n  W threads x=32 y=16\n    W serial\n  Z threads x=32 y=12\n");
    const Analytical::Group group = Analytical(kTuring).evaluate(table);
    // W: 4 of its own, 1 of H, 2 for each of the three K; by 512 threads at full occupancy.
    const double w = 11.0 * 512 / 1024, z = 4.0 * 384 / (0.75 * 768);
    EXPECT_NEAR(group.arithmetic, (w + z) * kTuring.arithmetic_latency_cycles, 1e-9);
}

// What Listing 1 refuses, and how much worse it is taken to be.
TEST(Analytical, HandicapsWhatThePaperRefuses) {
    const Dag dag = copy(4096, 4096);
    const auto handicap = [&](const std::string &threads, double shared_bytes) {
        FeatureTable table = table_of(dag, "kernel out\n  out threads " + threads + "\n");
        table.kernel.shared_bytes_per_block = shared_bytes;
        return Analytical(kTuring).evaluate(table).handicap;
    };
    EXPECT_EQ(handicap("x=32 y=8", 0), 1);
    EXPECT_EQ(handicap("x=24 y=5", 0), 128.0 / 120) << "four warps for 120 threads";
    // One warp in 40 KiB: a single block fits into an SM of 64 KiB, one of 32 warps.
    EXPECT_DOUBLE_EQ(handicap("x=32", 40960), 0.1 * 32);
    EXPECT_GT(handicap("x=64 y=32", 0), 1e5) << "2048 threads";
    EXPECT_GT(handicap("x=32 y=8", 48 * 1024 + 4), 1e5);
}

// A device whose SMs are not all busy takes as long as the busy ones.
TEST(Analytical, LetsIdleMultiprocessorsDoNothing) {
    FeatureTable table = table_of(copy(4096, 4096), "kernel out\n  out threads x=32 y=8\n");
    const auto cost = [&](double blocks) {
        table.kernel.num_blocks = blocks;
        double result = 0;
        Analytical(kTuring).estimate({&table, 1}, {&result, 1});
        return result;
    };
    EXPECT_NEAR(cost(34), cost(68), 0.05 * cost(68)) << "34 of 68 multiprocessors, half the work";
}

TEST(Analytical, CostsMoreWhereMoreIsComputedAgain) {
    const Dag dag = two_stencils(1536, 1024);
    const auto cost = [&](std::string_view text) {
        const FeatureTable table = table_of(dag, text);
        double result = 0;
        Analytical(kTuring).estimate({&table, 1}, {&result, 1});
        return result;
    };
    const double wide = cost("kernel f1\n  f0 threads x=32 y=16\n  f1 threads x=30 y=14\n");
    const double narrow = cost("kernel f1\n  f0 threads x=32 y=4\n  f1 threads x=30 y=2\n");
    EXPECT_GT(narrow, wide) << "twice as many rows of f0 as of f1";
}

// Contract 4: positive and finite, whatever the kernel.
TEST(Analytical, IsPositiveAndFinite) {
    for (const NamedDag &e : all()) {
        const Nest nest = empty_nest(e.dag);
        for (size_t s = 0; s < e.dag.stages.size(); ++s) {
            const StageId stage(s);
            if (e.dag.func_of(stage).is_input()) continue;
            const Tiling plain(e.dag.stage(stage).loops.size(), LoopTile{1, 1});
            const KernelPtr kernel = e.dag.func_of(stage).on_host()
                                         ? make_host_kernel(e.dag, stage)
                                         : make_kernel(e.dag, stage, plain);
            const FeatureTable table = FeatureExtractor(e.dag, kTuring).extract(*kernel);
            double cost = 0;
            Analytical(kTuring).estimate({&table, 1}, {&cost, 1});
            EXPECT_TRUE(std::isfinite(cost) && cost > 0) << e.name << " " << cost;
        }
    }
}

TEST(Analytical, GivesFiniteCostsToWhatDoesNotFit) {
    const Dag dag = copy(4096, 4096);
    FeatureTable table = table_of(dag, "kernel out\n  out threads x=64 y=32\n");
    FeatureTable fits = table_of(dag, "kernel out\n  out threads x=32 y=8\n");
    double cost = 0, other = 0;
    Analytical(kTuring).estimate({&table, 1}, {&cost, 1});
    Analytical(kTuring).estimate({&fits, 1}, {&other, 1});
    EXPECT_TRUE(std::isfinite(cost));
    EXPECT_GT(cost, 1000 * other);
}

}  // namespace
}  // namespace autoschedule_gpu
