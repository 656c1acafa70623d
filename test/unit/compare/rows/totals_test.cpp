#include "compare/rows/totals.h"

#include <gtest/gtest.h>

#include "compare/rows/metrics.h"
#include "unit/compare/rows/sample_rows.h"

namespace autoschedule_gpu {
namespace {

ComparisonRow two_kernels() {
    ComparisonRow row = sample::row("blur", "gpu");
    RowKernel second = sample::kernel("k1");
    second.launches = 3;
    second.registers = 64;
    second.spill_bytes = 16;
    second.shared_bytes = 1024;
    second.occupancy = 0.25;
    second.footprint_load_bytes = 1e6;
    second.footprint_store_bytes = 0;
    second.access_load_bytes = 5e6;
    second.access_store_bytes = 0;
    second.transaction_load_bytes = 60e6;
    second.transaction_store_bytes = 0;
    row.kernels.push_back(second);
    return row;
}

TEST(RowTotals, AddUpTheKernels) {
    const RowTotals sums = totals(two_kernels());
    EXPECT_EQ(sums.kernels, 1 + 3);
    EXPECT_EQ(sums.most_registers, 64);
    EXPECT_EQ(sums.spill_bytes, 16);
    EXPECT_EQ(sums.most_shared_bytes, 4096);
    EXPECT_EQ(sums.least_occupancy, 0.25);
    EXPECT_DOUBLE_EQ(*sums.mean_occupancy, (0.5 * 20 + 0.25 * 60) / (20 + 60));
    EXPECT_DOUBLE_EQ(*sums.footprint_mb, 10 + 2 + 1);
    EXPECT_DOUBLE_EQ(*sums.access_mb, 40 + 2 + 5);
    EXPECT_DOUBLE_EQ(*sums.transaction_mb, 16 + 4 + 60);
    EXPECT_TRUE(sums.traffic_is_exact);
}

TEST(RowTotals, LeaveOutKernelsThatAreNeverLaunched) {
    ComparisonRow row = two_kernels();
    RowKernel other = row.kernels.front();
    other.launches = 0;
    other.registers = 255;
    other.spill_bytes = 1000;
    other.shared_bytes = 40000;
    other.occupancy = 0.01;
    row.kernels.push_back(other);
    const RowTotals sums = totals(row), without = totals(two_kernels());
    EXPECT_EQ(sums.most_registers, without.most_registers);
    EXPECT_EQ(sums.spill_bytes, without.spill_bytes);
    EXPECT_EQ(sums.most_shared_bytes, without.most_shared_bytes);
    EXPECT_EQ(sums.least_occupancy, without.least_occupancy);
}

TEST(RowTotals, AreUnknownWhereOneKernelIs) {
    ComparisonRow row = two_kernels();
    row.kernels[1].registers.reset();
    row.kernels[1].footprint_store_bytes.reset();
    row.kernels[1].exact.reset();
    const RowTotals sums = totals(row);
    EXPECT_EQ(sums.most_registers, std::nullopt);
    EXPECT_EQ(sums.footprint_mb, std::nullopt);
    EXPECT_TRUE(sums.access_mb);
    EXPECT_FALSE(sums.traffic_is_exact);
}

TEST(RowTotals, OfNoKernelsAreUnknown) {
    const RowTotals sums = totals(sample::bare_row("blur", "gpu"));
    EXPECT_EQ(sums.kernels, std::nullopt);
    EXPECT_EQ(sums.spill_bytes, std::nullopt);
    EXPECT_EQ(sums.mean_occupancy, std::nullopt);
    EXPECT_EQ(sums.footprint_mb, std::nullopt);
}

TEST(RowTotals, HaveNoMeanOccupancyWhereNothingMoves) {
    ComparisonRow row = sample::row("blur", "gpu");
    row.kernels[0].transaction_load_bytes = 0;
    row.kernels[0].transaction_store_bytes = 0;
    EXPECT_EQ(totals(row).mean_occupancy, std::nullopt);
    EXPECT_EQ(totals(row).least_occupancy, 0.5);
}

TEST(Metrics, KeepThreeSignificantDigits) {
    EXPECT_EQ(decimal_text(0), "0");
    EXPECT_EQ(decimal_text(0.00123456), "0.00123");
    EXPECT_EQ(decimal_text(0.5), "0.500");
    EXPECT_EQ(decimal_text(1.2345), "1.23");
    EXPECT_EQ(decimal_text(9.999), "10.0");
    EXPECT_EQ(decimal_text(99.96), "100");
    EXPECT_EQ(decimal_text(123456.7), "123457");
}

TEST(Metrics, KnowWhichOfTwoValuesIsBetter) {
    const ComparisonMetric &time = *find_metric("run_ms");
    EXPECT_EQ(times_worse(time, 3, 2), 1.5);
    EXPECT_EQ(times_worse(time, 2, 4), 0.5);
    const ComparisonMetric &occupancy = *find_metric("least_occupancy");
    EXPECT_EQ(times_worse(occupancy, 0.25, 0.5), 2);
    EXPECT_EQ(times_worse(occupancy, 0.5, 0.25), 0.5);
    const ComparisonMetric &spills = *find_metric("spill_bytes");
    EXPECT_EQ(times_worse(spills, 0, 0), 1);
    EXPECT_EQ(times_worse(spills, 8, 0), std::numeric_limits<double>::infinity());
    EXPECT_EQ(times_worse(spills, 0, 8), 0);
}

TEST(Metrics, AreFoundByKeyAlone) {
    for (const ComparisonMetric &metric : comparison_metrics()) {
        EXPECT_EQ(find_metric(metric.key), &metric);
    }
    EXPECT_EQ(find_metric("speed"), nullptr);
}

TEST(Metrics, ReadTheRowTheyAreAskedOf) {
    const ComparisonRow row = two_kernels();
    const RowTotals sums = totals(row);
    const auto text = [&](const char *key) {
        const ComparisonMetric &metric = *find_metric(key);
        return metric_text(metric, *metric.value(row, sums));
    };
    EXPECT_EQ(text("search_s"), "2.00");
    EXPECT_EQ(text("peak_mb"), "100");
    EXPECT_EQ(text("kernels"), "4");
    EXPECT_EQ(text("registers"), "64");
    EXPECT_EQ(text("spill_bytes"), "16");
    EXPECT_EQ(text("shared_kib"), "4.00");
    EXPECT_EQ(text("least_occupancy"), "25");
    EXPECT_EQ(text("mean_occupancy"), "31");
    EXPECT_EQ(text("footprint_mb"), "13.0");
    EXPECT_EQ(text("access_mb"), "47.0");
    EXPECT_EQ(text("transaction_mb"), "80.0");
    EXPECT_EQ(text("run_ms"), "0.500");
}

}  // namespace
}  // namespace autoschedule_gpu
