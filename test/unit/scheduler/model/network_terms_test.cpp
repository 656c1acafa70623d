#include "scheduler/model/network_terms.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "unit/scheduler/model/example_tables.h"

namespace autoschedule_gpu {
namespace {

// A device on which everything is easily counted: 10 SMs at 2 GHz, so that a cycle is 0.5 ns; an SM
// does 4 warp instructions, 64 single-precision and 16 special operations, 32 addresses, 4 sectors
// and 128 bytes of shared memory a cycle.
GpuModel round_gpu() {
    GpuModel gpu = example::gpu();
    gpu.sm_count = 10;
    gpu.warp_size = 32;
    gpu.clock_ghz = 2;
    gpu.warp_schedulers_per_sm = 4;
    gpu.fp32_lanes_per_sm = 64;
    gpu.special_lanes_per_sm = 16;
    gpu.load_store_lanes_per_sm = 32;
    gpu.l1_sector_bytes = 32;
    gpu.cache_line_bytes = 128;
    gpu.shared_banks = 32;
    gpu.shared_bank_bytes = 4;
    gpu.l2_bandwidth_gb_per_s = 1600;
    gpu.dram_bandwidth_gb_per_s = 500;
    gpu.max_blocks_per_sm = 32;
    gpu.shared_latency_cycles = 20;
    gpu.l2_latency_cycles = 200;
    gpu.dram_latency_cycles = 400;
    gpu.arithmetic_latency_cycles = 4;
    gpu.kernel_launch_us = 3;
    return gpu;
}

// 40 blocks of 8 warps: four for each SM, two of which are resident at once.
FeatureTable small_kernel(size_t stages) {
    FeatureTable table;
    table.kernel.num_blocks = 40;
    table.kernel.num_warps_per_block = 8;
    table.kernel.idle_core_wastage = 1;
    table.kernel.max_block_occupancy = 2.0 / 32;
    table.stages.resize(stages);
    for (StageFeatures &stage : table.stages) {
        stage.num_active_warps_per_block = 8;
        stage.num_threads_per_block = 256;
        stage.serial_iterations = 0;
    }
    return table;
}

CostTerms terms_of(const FeatureTable &table, size_t row) {
    const PeakRates rates(round_gpu());
    return CostTermsOfKernel(rates, table).of_row(row);
}

TEST(CostTerms, TakeArithmeticAtItsPeakRate) {
    FeatureTable table = small_kernel(1);
    table.stages[0].fp32_ops_per_thread = 30;
    table.stages[0].fp32_fused_per_thread = 10;
    table.stages[0].special_ops_per_thread = 5;
    const CostTerms terms = terms_of(table, 0);
    // 4 blocks an SM, 8 warps of 32 lanes, 20 operations, 64 a cycle of 0.5 ns.
    EXPECT_FLOAT_EQ(terms.fp32, 4 * 8 * 32 * 20 / 64 * 0.5);
    // Two results each, 16 a cycle.
    EXPECT_FLOAT_EQ(terms.special, 4 * 8 * 32 * 5 * 2 / 16 * 0.5);
    // 20 and 8 for each special one, 4 warps a cycle.
    EXPECT_FLOAT_EQ(terms.issue, 4 * 8 * (20 + 8 * 5) / 4 * 0.5);
    EXPECT_EQ(terms.fp64, 0);
    EXPECT_EQ(terms.fetch, 0);
}

TEST(CostTerms, CountIdleCoresAndIdleLanesInPoints) {
    FeatureTable table = small_kernel(1);
    table.stages[0].num_scalars = 40 * 200;
    table.stages[0].points_computed_per_thread = 1;
    // 4 blocks an SM of 200 evaluations, by 256 threads; 64 a cycle.
    EXPECT_FLOAT_EQ(terms_of(table, 0).scalars, 4 * 200.0 / 64 * 0.5);
    EXPECT_FLOAT_EQ(terms_of(table, 0).points, 4 * 256.0 / 64 * 0.5);
    table.kernel.idle_core_wastage = 1.5;
    table.stages[0].idle_lane_wastage = 0.25;
    EXPECT_FLOAT_EQ(terms_of(table, 0).scalars, 1.5 / 0.75 * 4 * 200.0 / 64 * 0.5);
}

TEST(CostTerms, TakeMemoryAtItsPeakRates) {
    FeatureTable table = small_kernel(1);
    StageFeatures &stage = table.stages[0];
    stage.num_global_mem_loads_per_block = 100;
    stage.num_global_mem_stores_per_block = 50;
    stage.num_shared_mem_loads_per_block = 60;
    stage.num_shared_mem_stores_per_block = 10;
    stage.global_loads_per_thread = 2;
    table.kernel.block_global_read_sectors = 80;
    const CostTerms terms = terms_of(table, 0);
    // Sectors of 32 bytes at 1600 GB/s: 0.02 ns each.
    EXPECT_FLOAT_EQ(terms.global_loads, 40 * 100 * 0.02);
    EXPECT_FLOAT_EQ(terms.global_stores, 40 * 50 * 0.02);
    EXPECT_FLOAT_EQ(terms.distinct_loads, 40 * 80 * 0.02);
    // A pass through the banks takes a cycle.
    EXPECT_FLOAT_EQ(terms.shared_loads, 4 * 60 * 0.5);
    EXPECT_FLOAT_EQ(terms.shared_stores, 4 * 10 * 0.5);
    // 150 sectors, four a cycle, and 70 passes, against 2 * 256 addresses, 32 a cycle.
    EXPECT_FLOAT_EQ(terms.memory_pipe, 4 * (150.0 / 4 + 70) * 0.5);
    // 90 passes through the banks of L1 take longer than the sectors.
    stage.global_load_wavefronts_per_block = 60;
    stage.global_store_wavefronts_per_block = 30;
    EXPECT_FLOAT_EQ(terms_of(table, 0).memory_pipe, 4 * (90.0 + 70) * 0.5);
    stage.global_loads_per_thread = 20;
    EXPECT_FLOAT_EQ(terms_of(table, 0).memory_pipe, 4 * 20 * 256 / 32 * 0.5);
}

TEST(CostTerms, ShareDramAmongRowsByTheSectorsThatTheyMove) {
    FeatureTable table = small_kernel(3);
    table.kernel.dram_bytes_read = 4000;
    table.kernel.dram_bytes_written = 500;
    table.stages[0].num_global_mem_loads_per_block = 30;
    table.stages[1].num_global_mem_loads_per_block = 10;
    // 4000 bytes at 500 GB/s are 8 ns.
    EXPECT_FLOAT_EQ(terms_of(table, 0).dram_reads, 6);
    EXPECT_FLOAT_EQ(terms_of(table, 1).dram_reads, 2);
    EXPECT_EQ(terms_of(table, 2).dram_reads, 0);
    // No row says that it stores: the root stage does.
    EXPECT_EQ(terms_of(table, 1).dram_writes, 0);
    EXPECT_FLOAT_EQ(terms_of(table, 2).dram_writes, 1);
}

TEST(CostTerms, GiveTheRootStageWhatTheKernelHasOnce) {
    FeatureTable table = small_kernel(2);
    table.kernel.barriers_per_block = 3;
    table.kernel.spills_per_thread = 5;
    const CostTerms first = terms_of(table, 0), last = terms_of(table, 1);
    EXPECT_EQ(first.launch, 0);
    EXPECT_EQ(first.barriers, 0);
    EXPECT_EQ(first.spills, 0);
    EXPECT_EQ(first.blocks, 0);
    EXPECT_FLOAT_EQ(last.launch, 3000);
    // Two waves, 20 cycles each time.
    EXPECT_FLOAT_EQ(last.barriers, 2 * 3 * 20 * 0.5);
    // Three accesses, a cycle each for every warp.
    EXPECT_FLOAT_EQ(last.spills, 4 * 8 * 3 * 5 * 0.5);
    // Four blocks an SM, 20 cycles each.
    EXPECT_FLOAT_EQ(last.blocks, 4 * 20 * 0.5);
    EXPECT_FLOAT_EQ(last.first_loads, 2 * 400 * 0.5);
}

TEST(CostTerms, WaitOncePerWaveAndPass) {
    FeatureTable table = small_kernel(1);
    StageFeatures &stage = table.stages[0];
    stage.serial_iterations = 10;
    stage.global_loads_per_thread = 10;
    stage.fp32_ops_per_thread = 50;
    stage.unrolled_points = 2;
    table.kernel.global_bytes_read = 1000;
    table.kernel.dram_bytes_read = 500;
    // Half of the loads come from DRAM: 300 cycles. 50 + 2 * 10 + 3 * 10 instructions in 10 passes,
    // two at a time, 4 cycles each: 20 cycles.
    EXPECT_FLOAT_EQ(terms_of(table, 0).latency, 2 * 10 * (300 + 20) * 0.5);
}

TEST(CostTerms, TakeAtomicsThroughL2AndOneAfterTheOtherOnOneElement) {
    FeatureTable table = small_kernel(1);
    table.stages[0].atomics_per_thread = 2;
    table.stages[0].num_global_atomics_per_block = 100;
    table.stages[0].atomics_per_element = 7000;
    const CostTerms terms = terms_of(table, 0);
    EXPECT_FLOAT_EQ(terms.atomics, 4 * 8 * 32 * 2 / 32 * 0.5);
    EXPECT_FLOAT_EQ(terms.global_atomics, 40 * 100 * 0.02);
    EXPECT_FLOAT_EQ(terms.same_element_atomics, 7000 * 0.5);
}

TEST(CostTerms, TakeFootprintsAtTheRateOfTheirMemory) {
    FeatureTable table = small_kernel(1);
    StageFeatures &stage = table.stages[0];
    stage.num_realizations = 40;
    stage.unique_global_bytes_read_per_realization = 1000;
    stage.unique_shared_bytes_read_per_realization = 1280;
    stage.unique_shared_lines_read_per_realization = 6;
    stage.unique_global_bytes_read_per_thread = 16;
    stage.unique_bytes_read_per_task = 2000;
    stage.num_scalars = 6400;
    stage.unique_lines_read_per_point = 3;
    const CostTerms terms = terms_of(table, 0);
    EXPECT_FLOAT_EQ(terms.realization_global_bytes, 40 * 1000 / 1600.0);
    // 10 SMs of 128 bytes, or one pass, a cycle.
    EXPECT_FLOAT_EQ(terms.realization_shared_bytes, 40 * 1280 / (10 * 128) * 0.5);
    EXPECT_FLOAT_EQ(terms.realization_shared_lines, 40 * 6 / 10 * 0.5);
    // From L1: a line of 128 bytes a cycle.
    EXPECT_FLOAT_EQ(terms.thread_global_bytes, 40 * 256 * 16 / (10 * 128) * 0.5);
    EXPECT_FLOAT_EQ(terms.task_bytes, 40 * 2000 / 1600.0);
    // 32 loads a cycle.
    EXPECT_FLOAT_EQ(terms.point_lines, 6400 * 3 / (10 * 32) * 0.5);
}

TEST(CostTerms, BoundAKernelByTheBusiestResource) {
    for (const FeatureTable &table : example::tables_of_all_kinds()) {
        for (size_t row = 0; row < table.stages.size(); ++row) {
            const CostTerms t = terms_of(table, row);
            for (const float part : {t.issue, t.fp32, t.integer, t.special, t.memory_pipe,
                                     t.global_loads, t.dram_reads, t.latency}) {
                EXPECT_GE(t.bottleneck, part);
            }
        }
    }
}

std::array<float, kCostTerms> values(const CostTerms &terms) {
    return {
#define X(name, initial, meaning) terms.name,
        AUTOSCHEDULE_GPU_COST_TERMS(X)
#undef X
    };
}

TEST(CostTerms, AreFiniteAndNotNegativeForAnyFeatures) {
    for (const double most : {0.0, 1.0, 1e12, 1e300, std::numeric_limits<double>::max()}) {
        for (uint64_t seed = 0; seed < 100; ++seed) {
            const FeatureTable table = example::random_table(seed, 3, most);
            for (size_t row = 0; row < 3; ++row) {
                for (const float term : values(terms_of(table, row))) {
                    EXPECT_GE(term, 0);
                    EXPECT_LE(term, kMostTermNs);
                }
            }
        }
    }
}

// A term that no feature moves is dead.
TEST(CostTerms, AllSaySomething) {
    const FeatureTable table = example::random_table(1, 1, 1e4);
    FeatureTable full = table;
    for (size_t i = 0; i < stage_feature_list().size(); ++i) {
        if (stage_feature(full.stages[0], i) == 0) set_stage_feature(full.stages[0], i, 1);
    }
    for (size_t i = 0; i < kernel_feature_list().size(); ++i) {
        if (kernel_feature(full.kernel, i) == 0) set_kernel_feature(full.kernel, i, 1);
    }
    full.stages[0].fp32_fused_per_thread = full.stages[0].int_fused_per_thread = 0;
    full.stages[0].fp32_ops_per_thread = full.stages[0].int_ops_per_thread = 1e6;
    full.stages[0].serial_iterations = 1;
    const auto all = values(terms_of(full, 0));
    for (size_t i = 0; i < kCostTerms; ++i) EXPECT_GT(all[i], 0) << kCostTermList[i].name;
}

}  // namespace
}  // namespace autoschedule_gpu
