#include "lab/build/launch_report.h"

#include <gtest/gtest.h>

#include "unit/scratch.h"

namespace autoschedule_gpu {
namespace {

using Matches = std::vector<int>;

std::string error_of(std::string_view json) {
    const auto launches = parse_launch_report(json);
    return launches.ok() ? "no error" : launches.error().message;
}

TEST(LaunchReport, ReadsKernelsAndIgnoresTheRest) {
    const auto launches = parse_launch_report(R"({"cost": 3, "kernels": [
        {"name": "blur", "shared_bytes": 4608, "threads": [32, 8], "blocks": [48, 96, 2], "x": 1},
        {"name": "out", "shared_bytes": 0}]})")
                              .value();
    ASSERT_EQ(launches.size(), 2u);
    EXPECT_EQ(launches[0].kernel, "blur");
    EXPECT_EQ(launches[0].shared_bytes, 4608);
    EXPECT_EQ(launches[0].threads, (std::array<int64_t, 3>{32, 8, 1}));
    EXPECT_EQ(launches[0].blocks, (std::array<int64_t, 3>{48, 96, 2}));
    EXPECT_EQ(launches[1].threads, (std::array<int64_t, 3>{0, 0, 0}));
}

TEST(LaunchReport, RefusesAnotherForm) {
    EXPECT_EQ(error_of("{"), "expected an autoscheduler's report, found no JSON");
    for (const char *json : {"[]", "{}", R"({"kernels": 3})", "3", "null"}) {
        EXPECT_EQ(error_of(json),
                  "expected a list \"kernels\" in the autoscheduler's report, found none")
            << json;
    }
}

TEST(LaunchReport, RefusesAKernelOfAnotherForm) {
    EXPECT_EQ(error_of(R"({"kernels": [7]})"),
              "kernel 0 of the report: expected an object as \"kernels\", found 7");
    EXPECT_EQ(error_of(R"({"kernels": [{"name": 7}]})"),
              "kernel 0 of the report: expected a text as \"name\", found 7");
    EXPECT_EQ(error_of(R"({"kernels": [{"shared_bytes": 7}]})"),
              "kernel 0 of the report: expected a text as \"name\", found null");
    for (const char *bytes : {"-1", "1.5", "\"1\"", "18446744073709551615"}) {
        EXPECT_EQ(
            error_of(std::string(R"({"kernels": [{"name": "a", "shared_bytes": )") + bytes + "}]}"),
            std::string("kernel 0 of the report: expected a whole number as "
                        "\"shared_bytes\", found ") +
                bytes);
    }
    EXPECT_EQ(
        error_of(R"({"kernels": [{"name": "a", "shared_bytes": 0},
                                       {"name": "a", "shared_bytes": 0, "threads": [1,2,3,4]}]})"),
        "kernel 1 of the report: expected up to three whole numbers or nulls as \"threads\", found "
        "[1,2,3,4]");
    EXPECT_EQ(
        error_of(R"({"kernels": [{"name": "a", "shared_bytes": 0, "blocks": "x"}]})"),
        "kernel 0 of the report: expected up to three whole numbers or nulls as \"blocks\", found "
        "\"x\"");
}

TEST(LaunchReport, TakesNullForWhatIsKnownOnlyAtRunTime) {
    const auto launches = parse_launch_report(R"({"kernels": [
        {"name": "out", "shared_bytes": null, "threads": [32, 8, 1], "blocks": [null, null, 3]}]})");
    ASSERT_TRUE(launches.ok()) << launches.error().message;
    const Launch &launch = launches->at(0);
    EXPECT_FALSE(launch.shared_bytes.has_value());
    EXPECT_EQ(launch.threads, (std::array<int64_t, 3>{32, 8, 1}));
    EXPECT_EQ(launch.blocks, (std::array<int64_t, 3>{0, 0, 3}));
}

TEST(LaunchReport, ErrorsOfAFileBeginWithItsPath) {
    Scratch scratch;
    EXPECT_EQ(read_launch_report(scratch.path("none")).error().message,
              scratch.path("none") + ": cannot be read");
    const std::string bad = scratch.write("bad.json", "{}");
    EXPECT_EQ(read_launch_report(bad).error().message.rfind(bad + ": expected a list", 0), 0u);
    EXPECT_TRUE(read_launch_report(scratch.write("good.json", R"({"kernels": []})")).ok());
}

TEST(MatchLaunches, GoesByTheNameOfTheKernelOrOfItsFunc) {
    const std::vector<std::string> kernels = {"_kernel_a_s0_v1_block_id_y",
                                              "_kernel_b__1_s0_v0_block_id_x", "exact"};
    EXPECT_EQ(match_launches(kernels, {{"exact"}, {"b$1"}, {"a"}}), (Matches{2, 1, 0}));
}

TEST(MatchLaunches, DoesNotTakeALongerNameForAShorterOne) {
    EXPECT_EQ(match_launches({"_kernel_blur_y_s0_v1"}, {{"blur"}, {"blur_y"}}), Matches{1});
    EXPECT_EQ(match_launches({"_kernel_a_sum_s0_v1", "_kernel_a_s0_v1"}, {{"a"}}),
              (Matches{-1, 0}));
}

TEST(MatchLaunches, GivesSeveralKernelsOfOneFuncItsLaunchesInTurn) {
    EXPECT_EQ(
        match_launches({"_kernel_a_s0_x", "_kernel_a_s1_x", "_kernel_a_s2_x"}, {{"a"}, {"a"}}),
        (Matches{0, 1, -1}));
}

TEST(MatchLaunches, GivesKernelsOfOneNameItsLaunchesInTurn) {
    EXPECT_EQ(match_launches({"k", "k__1", "m__1", "k__2"}, {{"k"}, {"k"}, {"k"}, {"m__1"}}),
              (Matches{0, 1, 3, 2}));
    EXPECT_EQ(match_launches({"k", "m__2"}, {{"m"}, {"k__1"}}), (Matches{1, 0}))
        << "counters differ from one compilation to the next";
    EXPECT_EQ(match_launches({"k1", "k_1", "__1"}, {{"k"}, {"z"}, {"w"}, {"v"}}),
              (Matches{-1, -1, -1}));
}

TEST(MatchLaunches, KnowsNumberedKernelsWhoseNamesHaveCounters) {
    EXPECT_EQ(match_launches({"_kernel_f_0_s0_y_block_id_z__1", "_kernel_f__0_s0_x_block_id_z"},
                             {{"_kernel_f__0_s0_x_block_id_z"}, {"_kernel_f__0_s0_y_block_id_z"}}),
              (Matches{1, 0}));
    EXPECT_EQ(
        match_launches({"_kernel_g_s0_y_block_id_y_2__1"}, {{"_kernel_g_s0_y_block_id_y__2"}}),
        Matches{0});
    EXPECT_EQ(match_launches({"_kernel_f__0_s0_y", "other"}, {{"_kernel_f_0_s0_y__1"}}),
              (Matches{0, -1}));
    EXPECT_EQ(match_launches({"_kernel_f_0_s0_y", "other"}, {{"_kernel_f__0_s0_y"}}),
              (Matches{-1, -1}))
        << "neither is numbered";
}

TEST(MatchLaunches, GoesByOrderOnlyIfNoNameFitsAndTheCountsAgree) {
    EXPECT_EQ(match_launches({"x", "y"}, {{"a"}, {"b"}}), (Matches{0, 1}));
    EXPECT_EQ(match_launches({"x", "y"}, {{"a"}}), (Matches{-1, -1}));
    EXPECT_EQ(match_launches({"x", "b"}, {{"a"}, {"b"}}), (Matches{-1, 1}));
    EXPECT_EQ(match_launches({}, {}), Matches{});
}

}  // namespace
}  // namespace autoschedule_gpu
