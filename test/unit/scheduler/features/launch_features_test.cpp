// Features of launches that kernels share.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/gpu/gpu_model.h"
#include "scheduler/features/feature_extractor.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

struct Tables {
    FeatureTable dx, dy, both;
};

// Of siblings whose kernels have these threads.
Tables tables(const Dag &dag, const std::string &dx, const std::string &dy) {
    const Nest nest = example::sound(dag,
                                     "kernel out\n  out threads x=32 y=8\n"
                                     "kernel dx with dx\n  dx threads " +
                                         dx + "kernel dy with dx\n  dy threads " + dy);
    const GpuModel gpu = find_preset("a100").value();
    FeatureExtractor extractor(dag, gpu);
    const std::vector<KernelPtr> launch = {nest.kernels[1], nest.kernels[2]};
    return {extractor.extract(*launch[0]), extractor.extract(*launch[1]),
            extractor.extract(launch)};
}

// dx reads 518 x 256 points (out reads two more of it on either side, and that one more each), dy
// 512 x 262. All of dy's rows are among them but three above and below, of 512 points.
TEST(LaunchFeatures, CountOnceWhatTwoKernelsRead) {
    const auto [dx, dy, both] = tables(example::siblings(512, 256), "x=32 y=8\n", "x=32 y=8\n");
    EXPECT_EQ(dx.kernel.dram_bytes_read, 518 * 256 * 4);
    EXPECT_EQ(dy.kernel.dram_bytes_read, 512 * 262 * 4);
    EXPECT_EQ(both.kernel.dram_bytes_read, 518 * 262 * 4) << "the box around both";
    EXPECT_EQ(both.kernel.global_bytes_read, 518 * 262 * 4);
    EXPECT_EQ(both.kernel.dram_bytes_written,
              dx.kernel.dram_bytes_written + dy.kernel.dram_bytes_written);
}

TEST(LaunchFeatures, HaveTheStagesOfAllKernelsAndTheLargestGridAndBlock) {
    const auto [dx, dy, both] =
        tables(example::siblings_of_two_sizes(512, 256), "x=32 y=8\n", "x=16 y=16\n");
    ASSERT_EQ(both.stages.size(), 2u);
    EXPECT_EQ(both.stages[0].stage, dx.stages[0].stage);
    const auto loads = [](const FeatureTable &table, size_t stage) {
        return table.kernel.num_blocks * table.stages[stage].num_global_mem_loads_per_block;
    };
    EXPECT_DOUBLE_EQ(loads(both, 0), loads(dx, 0));
    EXPECT_DOUBLE_EQ(loads(both, 1), loads(dy, 0)) << "spread over all blocks";
    EXPECT_DOUBLE_EQ(both.kernel.num_blocks * both.stages[1].num_active_warps_per_block,
                     dy.kernel.num_blocks * dy.stages[0].num_active_warps_per_block);
    EXPECT_EQ(dx.kernel.num_blocks, 17 * 32);
    EXPECT_EQ(dy.kernel.num_blocks, 16 * 8);
    EXPECT_EQ(both.kernel.num_blocks, 17 * 32);
    EXPECT_EQ(both.kernel.threads_per_block, 32 * 16) << "the most in each dimension";
    EXPECT_EQ(both.kernel.num_warps_per_block, 16);
    EXPECT_EQ(both.kernel.barriers_per_block, 0);
    EXPECT_EQ(both.kernel.registers_per_thread,
              std::max(dx.kernel.registers_per_thread, dy.kernel.registers_per_thread));
    EXPECT_DOUBLE_EQ(both.kernel.num_blocks * both.kernel.block_global_read_sectors,
                     dx.kernel.num_blocks * dx.kernel.block_global_read_sectors +
                         dy.kernel.num_blocks * dy.kernel.block_global_read_sectors)
        << "other grids are elsewhere at the same time";
}

TEST(LaunchFeatures, CountWhatACompilerFoundOnce) {
    const Dag dag = example::siblings(512, 256);
    const Nest nest = example::sound(dag,
                                     "kernel out\n  out threads x=32 y=8\n"
                                     "kernel dx with dx\n  dx threads x=32 y=8\n"
                                     "kernel dy with dx\n  dy threads x=32 y=8\n");
    const GpuModel gpu = find_preset("a100").value();
    FeatureExtractor extractor(dag, gpu);
    const std::vector<KernelPtr> launch = {nest.kernels[1], nest.kernels[2]};
    const RegisterUse compiled{.registers = 40, .spill_bytes = 80};
    const FeatureTable both = extractor.extract(launch, &compiled);
    EXPECT_EQ(both.kernel.registers_per_thread, 40);
    EXPECT_EQ(both.kernel.spills_per_thread, 10);
    EXPECT_EQ(extractor.extract({launch.data(), 1}, &compiled).kernel.spills_per_thread, 10);
}

}  // namespace
}  // namespace autoschedule_gpu
