#include "compare/schedulers/fill_row.h"

#include <gtest/gtest.h>

#include "core/gpu/resolve.h"
#include "lab/build/constraints.h"

namespace autoschedule_gpu {
namespace {

KernelTraffic traffic(const std::string &name, int64_t threads) {
    KernelTraffic kernel;
    kernel.name = name;
    kernel.launches = 2;
    kernel.threads = {threads, 1, 1};
    kernel.shared_bytes = 1024;
    kernel.footprint_load_bytes = 4096;
    kernel.float_operations = 7e9;
    return kernel;
}

PtxasKernel assembled(const std::string &name, int64_t registers) {
    PtxasKernel kernel;
    kernel.name = name;
    kernel.registers = registers;
    kernel.spill_store_bytes = 8;
    kernel.spill_load_bytes = 12;
    return kernel;
}

TEST(FillRow, KernelsOfTheProbeGetWhatPtxasSaysOfTheSameName) {
    ProbeReport probe;
    probe.kernels = {traffic("_kernel_a_s0_x_b", 128), traffic("_kernel_b_s0_x_b", 256)};
    const GpuModel model = resolve_gpu_model("A100").value();
    const std::vector<RowKernel> rows = row_kernels(
        probe,
        kernel_figures({assembled("_kernel_b_s0_x_b", 64), assembled("_kernel_a_s0_x_b", 32)},
                       launches_of(probe), model),
        model);
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].registers, 32);
    EXPECT_EQ(rows[1].registers, 64);
    EXPECT_EQ(rows[0].launches, 2);
    EXPECT_EQ(rows[0].spill_bytes, 20);
    EXPECT_EQ(rows[0].footprint_load_bytes, 4096);
    // 65,536 registers per SM / (64 registers x 256 threads) = 4 blocks of 8 warps, of 64 warps.
    EXPECT_DOUBLE_EQ(*rows[1].occupancy, 0.5);
    EXPECT_GT(*rows[0].predicted_ms, 0);
}

TEST(FillRow, WithoutPtxasAKernelHasTrafficAndNoRegisters) {
    ProbeReport probe;
    probe.kernels = {traffic("_kernel_a_s0_x_b", 128)};
    const auto rows = row_kernels(probe, {}, resolve_gpu_model("A100").value());
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_FALSE(rows[0].registers);
    EXPECT_FALSE(rows[0].occupancy);
    EXPECT_FALSE(rows[0].predicted_ms);
    EXPECT_EQ(rows[0].float_operations, 7e9);
    EXPECT_EQ(rows[0].integer_operations, 0);
}

TEST(FillRow, TheRoofsOfAnA100AreThoseOfItsDataSheet) {
    const RowRoofs roofs = row_roofs(resolve_gpu_model("A100").value());
    EXPECT_NEAR(roofs.float_gop_per_s, 19500, 100);
    EXPECT_EQ(roofs.integer_gop_per_s, roofs.float_gop_per_s);
    EXPECT_NEAR(roofs.dram_gb_per_s, 1555, 1);
}

TEST(FillRow, TheSearchTimeIsTheMedianAndItsInterval) {
    ComparisonRow row;
    set_search_time({3, 1, 2}, row);
    EXPECT_EQ(row.search_s, 2);
    EXPECT_EQ(row.search_s_interval, (RowInterval{1, 3}));
    EXPECT_EQ(row.search_s_samples, 3);
    ComparisonRow manual;
    set_search_time({}, manual);
    EXPECT_FALSE(manual.search_s);
}

TEST(FillRow, KernelsThatWereNotCountedHaveWhatPtxasSaysAndTheReason) {
    ProbedCandidate candidate;
    candidate.probe.traffic_error = "kernel a: variable n has no value";
    candidate.probe.launches = {
        {.kernel = "_kernel_a_s0_x_b", .blocks = {0, 2, 1}, .threads = {2048, 1, 1}}};
    const GpuModel model = resolve_gpu_model("A100").value();
    const auto rows = row_kernels(
        candidate.probe,
        kernel_figures({assembled("_kernel_a_s0_x_b", 32)}, launches_of(candidate.probe), model),
        model);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].name, "_kernel_a_s0_x_b");
    EXPECT_EQ(rows[0].registers, 32);
    EXPECT_EQ(rows[0].spill_bytes, 20);
    EXPECT_FALSE(rows[0].launches);
    EXPECT_FALSE(rows[0].blocks[0]);
    EXPECT_EQ(rows[0].blocks[1], 2);
    EXPECT_EQ(rows[0].threads[0], 2048);
    EXPECT_EQ(broken_limits(launches_of(candidate.probe), model).size(), 2u)
        << "threads in a block, and in its dimension x";
    EXPECT_FALSE(rows[0].footprint_load_bytes);
    EXPECT_FALSE(rows[0].shared_bytes);
    ComparisonRow row;
    set_generator_figures(candidate, row);
    EXPECT_EQ(row.uncounted, "kernel a: variable n has no value");
}

// The assembler knows none of the shared memory that Halide's launches ask for.
TEST(FillRow, KernelsThatWereNotCountedHaveTheSharedMemoryOfTheirLaunch) {
    ProbeReport probe;
    const GpuModel model = resolve_gpu_model("A100").value();
    const int64_t too_much = model.shared_bytes_per_block + 4;
    probe.launches = {{.kernel = "_kernel_a_s0_x_b", .shared_bytes = too_much}};
    const std::vector<std::string> broken = broken_limits(launches_of(probe), model);
    ASSERT_EQ(broken.size(), 1u);
    EXPECT_NE(broken[0].find("bytes of shared memory"), std::string::npos) << broken[0];
    const auto rows = row_kernels(
        probe, kernel_figures({assembled("_kernel_a_s0_x_b", 32)}, launches_of(probe), model),
        model);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].shared_bytes, too_much);
}

}  // namespace
}  // namespace autoschedule_gpu
