#include "lab/run/run_report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace autoschedule_gpu {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

RunReport example() {
    RunReport report;
    report.verified = true;
    report.outputs = {{.name = "output.0",
                       .elements = 100,
                       .wrong_elements = 2,
                       .greatest_magnitude = 0.1,
                       .tolerance = 1e-5,
                       .worst_difference = kInfinite,
                       .worst_at = {-3, 7},
                       .worst_expected = -kInfinite,
                       .worst_found = 1.0 / 3},
                      {.name = "mask"}};
    report.device_name = "A device \"with\" quotes\n";
    report.driver_version = "3.1";
    report.first_run_ms = 12.5;
    report.samples_ms = {1.25, 0.1, 3e-4};
    report.waited_ms = {0, 0.05, 2e-4};
    report.l2_flushed = true;
    report.constant_outputs = {"mask"};
    report.assumed_scalars = {{.name = "gain", .value = "0.75"}};
    return report;
}

TEST(RunReport, SurvivesItsJson) {
    RunReport report = example();
    EXPECT_EQ(*parse_run_report(to_json(report)), report);
    report.verified = false;
    report.failure = Failure{
        .kind = FailureKind::wrong_output, .reason = "all is wrong", .output = "line\nline"};
    EXPECT_EQ(*parse_run_report(to_json(report)), report);
    EXPECT_EQ(to_json(report).find('\n'), std::string::npos);
}

TEST(RunReport, KeepsNotANumber) {
    RunReport report = example();
    report.outputs[0].worst_found = std::nan("");
    const auto parsed = parse_run_report(to_json(report));
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    EXPECT_TRUE(std::isnan(parsed->outputs[0].worst_found));
}

TEST(RunReport, MayCarryTextOfAnyEncoding) {
    RunReport report = example();
    report.device_name = "\xff\xfe";
    EXPECT_TRUE(parse_run_report(to_json(report)).ok());
}

TEST(RunReport, IsRefusedWhereItIsNone) {
    const std::string good = to_json(example());
    const auto with = [&](const std::string &from, const std::string &to) {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        return text;
    };
    for (const std::string &text :
         {std::string(), std::string("[]"), std::string("{}"), good.substr(0, good.size() - 5),
          with("autoschedule_gpu.run", "other"), with("\"version\":5", "\"version\":4"),
          with("\"verified\":true", "\"verified\":3"), with("\"samples_ms\"", "\"samples\""),
          with("\"elements\":100", "\"elements\":\"many\""),
          with("\"verified\"", "\"failure\":{\"kind\":\"odd\"},\"verified\"")}) {
        EXPECT_FALSE(parse_run_report(text).ok()) << text;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
