#include "lab/build/probe_report.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

TEST(ProbeReport, IsReadAsItWasWritten) {
    ProbeReport report{.inner = "GPU", .search_s = 1.5, .peak_memory_bytes = 1 << 20};
    KernelTraffic kernel;
    kernel.name = "_kernel_a";
    kernel.blocks = {4, 3, 2};
    kernel.footprint_load_bytes = 1e6;
    kernel.float_operations = 3e9;
    kernel.double_operations = 2e9;
    kernel.double_instructions = 7e9;
    kernel.global_load_wavefronts = 5e6;
    kernel.global_store_wavefronts = 1.25;
    kernel.active_lanes = 3e6;
    kernel.warp_lanes = 4e6;
    kernel.parts.push_back({{kernel}, 24});
    kernel.exact = true;
    report.kernels = {kernel};
    const Result<ProbeReport> read = parse_probe_report(to_json(report));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->inner, "GPU");
    EXPECT_EQ(read->search_s, 1.5);
    EXPECT_EQ(read->peak_memory_bytes, 1 << 20);
    EXPECT_FALSE(read->error);
    ASSERT_EQ(read->kernels->size(), 1u);
    EXPECT_EQ(read->kernels->front().name, "_kernel_a");
    EXPECT_EQ(read->kernels->front().blocks, (std::array<int64_t, 3>{4, 3, 2}));
    EXPECT_EQ(read->kernels->front().footprint_load_bytes, 1e6);
    EXPECT_EQ(read->kernels->front().float_operations, 3e9);
    EXPECT_EQ(read->kernels->front().global_load_wavefronts, 5e6);
    EXPECT_EQ(read->kernels->front().global_store_wavefronts, 1.25);
    EXPECT_EQ(read->kernels->front().active_lane_share(), 0.75);
    ASSERT_EQ(read->kernels->front().parts.size(), 1u);
    EXPECT_EQ(read->kernels->front().parts[0].executions, 24);
    EXPECT_EQ(read->kernels->front().parts[0].float_operations, 3e9);
    EXPECT_EQ(read->kernels->front().parts[0].double_operations, 2e9);
    EXPECT_EQ(read->kernels->front().parts[0].double_instructions, 7e9);
    EXPECT_EQ(read->kernels->front().parts[0].global_load_wavefronts, 5e6);
    EXPECT_TRUE(read->kernels->front().exact);
}

TEST(ProbeReport, WhatIsUnknownStaysUnknown) {
    const Result<ProbeReport> read = parse_probe_report(to_json(ProbeReport{.error = "no"}));
    ASSERT_TRUE(read);
    EXPECT_FALSE(read->search_s);
    EXPECT_FALSE(read->kernels);
    EXPECT_EQ(read->error, "no");
}

TEST(ProbeReport, HasTheLaunchesOfKernelsThatWereNotCounted) {
    ProbeReport report{.traffic_error = "variable n has no value"};
    report.launches = {{.kernel = "_kernel_a", .blocks = {0, 2, 1}, .threads = {32, 8, 1}},
                       {.kernel = "_kernel_b", .shared_bytes = 65536}};
    const Result<ProbeReport> read = parse_probe_report(to_json(report));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->traffic_error, "variable n has no value");
    ASSERT_EQ(read->launches.size(), 2u);
    EXPECT_EQ(read->launches[0].kernel, "_kernel_a");
    EXPECT_EQ(read->launches[0].blocks, (std::array<int64_t, 3>{0, 2, 1}));
    EXPECT_EQ(read->launches[0].threads, (std::array<int64_t, 3>{32, 8, 1}));
    EXPECT_FALSE(read->launches[0].shared_bytes);
    EXPECT_EQ(read->launches[1].shared_bytes, 65536);
}

TEST(ProbeReport, AnythingElseIsRefused) {
    std::string other_version = to_json(ProbeReport{});
    other_version.replace(other_version.find("\"version\": 8"), 12, "\"version\": 1");
    for (const std::string &text :
         {std::string(), std::string("{}"), std::string("[1"), other_version}) {
        EXPECT_FALSE(parse_probe_report(text)) << text;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
