#include "compare/schedulers/predicted_time.h"

#include <gtest/gtest.h>

#include "core/gpu/resolve.h"
#include "scheduler/model/roofline.h"

namespace autoschedule_gpu {
namespace {

// Two launches of 1000 blocks of 8 warps. Each thread does 50 operations on floats, 10 of which
// end as fused additions and 5 of which are divisions, and 6 accesses.
KernelTraffic kernel() {
    KernelTraffic k;
    const double launches = 2, threads = launches * 1000 * 256;
    k.launches = launches;
    k.blocks = {100, 10, 1};
    k.threads = {32, 8, 1};
    k.float_operations = threads * 50;
    k.fused_float_operations = threads * 10;
    k.special_operations = threads * 5;
    k.global_loads = threads * 4;
    k.global_stores = threads * 2;
    k.other_operations = threads * 9;
    k.block_instructions = launches * 1000 * 50;
    k.active_lanes = k.warp_lanes = threads * 50;
    k.stored_elements = threads * 2;
    k.serial_iterations = launches * 1000 * 4;
    k.loop_entries = launches * 1000 * 2;
    k.footprint_load_bytes = launches * 30e6;
    k.footprint_store_bytes = launches * 10e6;
    k.access_load_bytes = threads * 4 * 4;
    k.access_store_bytes = threads * 4;
    k.transaction_load_bytes = threads * 4 * 4;
    k.global_load_wavefronts = launches * 1000 * 8 * 4;
    k.global_store_wavefronts = launches * 1000 * 8 * 3;
    k.transaction_store_bytes = threads * 2 * 4;
    k.parts = {{k, launches * 1000}};
    return k;
}

PtxasKernel assembled() {
    PtxasKernel code;
    code.registers = 32;
    code.spill_store_bytes = 8;
    code.spill_load_bytes = 16;
    return code;
}

const GpuModel &a100() {
    static const GpuModel model = resolve_gpu_model("A100").value();
    return model;
}

TEST(CountedFeatures, AreThoseOfOneLaunchAndOfOneThread) {
    const FeatureTable table = counted_features(kernel(), assembled(), a100());
    EXPECT_EQ(table.kernel.num_blocks, 1000);
    EXPECT_EQ(table.kernel.threads_per_block, 256);
    EXPECT_EQ(table.kernel.num_warps_per_block, 8);
    EXPECT_EQ(table.kernel.registers_per_thread, 32);
    // 24 bytes are three values, stored and loaded before the loop, which begins twice.
    EXPECT_EQ(table.kernel.spills_per_thread, 3 * 2);
    EXPECT_EQ(table.kernel.dram_bytes_read, 30e6);
    // All of 40 MB but what 0.7 of 40 MiB holds.
    EXPECT_NEAR(table.kernel.dram_bytes_written, 10e6 * (1 - 0.7 * 40 * 1048576 / 40e6), 1);
    ASSERT_EQ(table.stages.size(), 1u);
    const StageFeatures &stage = table.stages[0];
    EXPECT_DOUBLE_EQ(stage.fp32_ops_per_thread, 45);
    EXPECT_DOUBLE_EQ(stage.fp32_fused_per_thread, 10);
    EXPECT_DOUBLE_EQ(stage.special_ops_per_thread, 5);
    EXPECT_DOUBLE_EQ(stage.num_active_warps_per_block, 8);
    // Six serve the addresses of as many accesses.
    EXPECT_DOUBLE_EQ(stage.int_ops_per_thread, 3);
    EXPECT_DOUBLE_EQ(stage.global_loads_per_thread, 4);
    EXPECT_DOUBLE_EQ(stage.global_stores_per_thread, 2);
    EXPECT_DOUBLE_EQ(stage.shared_loads_per_thread, 0);
    EXPECT_DOUBLE_EQ(stage.num_global_mem_loads_per_block, 256 * 4 * 4 / 32);
    EXPECT_DOUBLE_EQ(stage.num_global_mem_stores_per_block, 256 * 2 * 4 / 32);
    EXPECT_DOUBLE_EQ(stage.global_mem_store_efficiency, 0.5);
    EXPECT_DOUBLE_EQ(stage.global_load_wavefronts_per_block, 8 * 4);
    EXPECT_DOUBLE_EQ(stage.global_store_wavefronts_per_block, 8 * 3);
    EXPECT_DOUBLE_EQ(stage.serial_iterations, 4);
    EXPECT_DOUBLE_EQ(stage.unrolled_points, 0.5);
}

TEST(CountedFeatures, CodeBetweenBarriersIsAStage) {
    KernelTraffic staged = kernel();
    staged.barriers = staged.launches * 1000;
    staged.parts[0].serial_iterations = 0;
    KernelPart second = staged.parts[0];
    second.executions *= 3;
    second.warp_lanes /= 2, second.active_lanes /= 2;
    staged.parts.push_back(second);
    const FeatureTable table = counted_features(staged, assembled(), a100());
    EXPECT_DOUBLE_EQ(table.kernel.barriers_per_block, 1);
    ASSERT_EQ(table.stages.size(), 2u);
    EXPECT_DOUBLE_EQ(table.stages[0].serial_iterations, 1);
    EXPECT_DOUBLE_EQ(table.stages[1].serial_iterations, 3);
    EXPECT_DOUBLE_EQ(table.stages[1].num_active_warps_per_block, 4);
}

// The stores of each warp go to one word, of 1000 in all.
TEST(CountedFeatures, TellHowManyAtomicOperationsAnElementTakes) {
    KernelTraffic sums = kernel();
    KernelPart &part = sums.parts[0];
    part.atomic_operations = part.global_stores;
    part.atomic_sectors = part.global_stores / 32;
    part.atomic_bytes = part.atomic_sectors * 4;
    sums.footprint_store_bytes = sums.launches * 1000 * 4;
    const StageFeatures stage = counted_features(sums, assembled(), a100()).stages[0];
    EXPECT_DOUBLE_EQ(stage.atomics_per_thread, 2);
    EXPECT_DOUBLE_EQ(stage.num_threads_per_block, 256);
    EXPECT_DOUBLE_EQ(stage.num_global_atomics_per_block, 8 * 2);
    EXPECT_DOUBLE_EQ(stage.global_mem_store_efficiency, 1.0 / 8);
    EXPECT_DOUBLE_EQ(stage.atomics_per_element, 256 * 2);
}

TEST(CountedFeatures, LanesThatAreIdleCostAsMuch) {
    KernelTraffic half = kernel();
    half.parts[0].warp_lanes *= 2;
    const FeatureTable table = counted_features(half, assembled(), a100());
    EXPECT_DOUBLE_EQ(table.stages[0].fp32_ops_per_thread, 45);
    EXPECT_DOUBLE_EQ(table.stages[0].num_active_warps_per_block, 16);
}

TEST(CountedFeatures, DoublesAreThoseOfTheirOwnUnits) {
    KernelTraffic doubles = kernel();
    KernelPart &part = doubles.parts[0];
    const double threads = 2 * 1000 * 256;
    // All but the 5 divisions, of 8 instructions each; 10 are fused.
    part.fused_float_operations = 0;
    part.double_operations = threads * 45;
    part.double_instructions = threads * (45 - 10 + 5 * 8);
    const FeatureTable table = counted_features(doubles, assembled(), a100());
    EXPECT_EQ(table.stages[0].fp32_ops_per_thread, 0);
    EXPECT_EQ(table.stages[0].fp64_ops_per_thread, 75);
    EXPECT_EQ(table.stages[0].special_ops_per_thread, 5);
    EXPECT_EQ(counted_features(kernel(), assembled(), a100()).stages[0].fp64_ops_per_thread, 0);
}

TEST(CountedFeatures, LanesThatStoreToOneElementUseNoMoreThanItsSector) {
    KernelTraffic together = kernel();
    together.parts[0].transaction_store_bytes /= 16;
    const FeatureTable table = counted_features(together, assembled(), a100());
    EXPECT_EQ(table.stages[0].global_mem_store_efficiency, 1);
}

TEST(PredictedTime, IsNeverBelowAnyRoof) {
    const double ms = predicted_ms(kernel(), assembled(), a100());
    EXPECT_GT(ms, 80e6 / (a100().dram_bandwidth_gb_per_s * 1e6));
    KernelTraffic busy = kernel();
    busy.float_operations *= 1000;
    busy.parts[0].float_operations *= 1000;
    const double peak = 2.0 * static_cast<double>(a100().fp32_lanes_per_sm * a100().sm_count) *
                        a100().clock_ghz * 1e6;
    EXPECT_GT(predicted_ms(busy, assembled(), a100()), busy.float_operations / peak);
}

// A block of one warp that loads a word in each of 64 iterations, and waits for nothing else.
double latency_of_loads(double ordered, double waits) {
    KernelTraffic k;
    k.launches = 1;
    k.threads = {32, 1, 1};
    k.block_instructions = 64;
    k.active_lanes = k.warp_lanes = k.global_loads = 64 * 32;
    k.serial_iterations = 64;
    k.ordered_iterations = ordered;
    k.waits = k.global_waits = waits;
    k.load_groups = k.new_load_groups = 64 + waits;
    k.access_load_bytes = k.transaction_load_bytes = k.block_load_bytes = 64 * 128;
    k.footprint_load_bytes = k.access_load_bytes;
    k.parts = {{k, 1}};
    return counted_terms(k, assembled(), a100()).latency;
}

TEST(PredictedTime, LoadsOfFourPassesAreOnTheirWayTogetherUnlessSomethingPartsThem) {
    const double apart = latency_of_loads(64, 0), together = latency_of_loads(0, 0);
    EXPECT_GT(apart, 3 * together);
    EXPECT_GT(latency_of_loads(0, 32), 2 * together);
}

TEST(PredictedTime, IsOfAllLaunches) {
    KernelTraffic nothing;
    nothing.launches = 3;
    EXPECT_NEAR(predicted_ms(nothing, assembled(), a100()), 3 * a100().kernel_launch_us / 1000,
                a100().kernel_launch_us / 1000);
    nothing.launches = 0;
    EXPECT_EQ(predicted_ms(nothing, assembled(), a100()), 0);
}

}  // namespace
}  // namespace autoschedule_gpu
