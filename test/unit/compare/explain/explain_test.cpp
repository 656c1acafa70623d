#include "compare/explain/explain.h"

#include <gtest/gtest.h>

#include "unit/compare/explain/sample_report.h"

namespace autoschedule_gpu {
namespace {

constexpr std::string_view kReport = R"({
    "format": "autoschedule_gpu.report", "version": 1,
    "target": "x86-64-linux-cuda", "gpu": "A100", "model": "roofline", "chosen": "search",
    "search": {"stop_reason": "completed", "passes": 2, "states_scored": 1234, "seconds": 0.5,
               "pass_costs_us": [20.5, 18.25],
               "phase_seconds": {"enumerate": 0.125, "evaluate": 0.25},
               "rejections": {"code_size": 17, "idle_sms": 0},
               "parts": [{"attempt": "no_fusion", "name": "improve_tilings", "seconds": 0.0625,
                          "states": 5, "cost_before_us": 20.75, "cost_after_us": null}]},
    "trial_lowerings_refused": [{"kind": "search", "error": "some\nerror", "nest": ""}],
    "predicted_us": 18.25, "total_seconds": 0.75,
    "predictions": [{"stage": "blur", "on_host": false, "stages": ["blur"], "inlined": ["a", "b"],
                     "predicted_us": 18.25, "bound_by": "dram", "warp_occupancy": 0.5,
                     "blocks": 480, "threads_per_block": 256, "shared_bytes_per_block": 1024,
                     "registers_estimated": 40, "global_bytes_read": 1}],
    "nest": "kernel blur blocks x=4\n"
})";

bool has(const std::string &text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

TEST(ExplainReport, NamesTheSecondChoicesWhereTheyWerePriced) {
    std::string report = sample::kReport;
    const std::string fields = R"("passes": 2, "phase_seconds": {}, "pass_costs_us": [])";
    report = sample::with(report, "\"passes\": 2", fields);
    report =
        sample::with(report, "\"predicted_us\": 30.0", "\"predicted_us\": 30.0, \"nest\": null");
    const Result<std::string> text = explain_report(report);
    ASSERT_TRUE(text.ok()) << text.error().message;
    for (std::string_view part :
         {"Second choices", "where blur_x is computed", "inline", "+12.5 us"}) {
        EXPECT_TRUE(has(*text, part)) << part << "\n" << *text;
    }
    EXPECT_FALSE(has(*text, "out.x")) << "the other is cheaper";
    EXPECT_FALSE(has(explain_report(kReport).value(), "Second choices"));
}

TEST(ExplainReport, SaysWhatWasSearchedRuledOutAndChosen) {
    const Result<std::string> text = explain_report(kReport);
    ASSERT_TRUE(text.ok()) << text.error().message;
    for (std::string_view part : {"A100", "completed", "1234", "18.25", "code_size", "17", "dram",
                                  "some error", "no_fusion", "improve_tilings", "0.0625", "20.75",
                                  "inlined: a, b", "kernel blur blocks x=4"}) {
        EXPECT_TRUE(has(*text, part)) << part << "\n" << *text;
    }
    EXPECT_FALSE(has(*text, "idle_sms")) << "rejected nothing";
}

TEST(ExplainReport, HasATableOfSizes) {
    std::string report(kReport);
    report.insert(report.rfind('}'), R"(, "schedules_for_sizes": 2, "sizes": [
        {"name": "large", "weight": 2.5, "made_for": "large", "predicted_us": 80.25,
         "alone_us": 80.25, "regret": 0.0},
        {"name": "small", "weight": 1.0, "made_for": "medium", "predicted_us": 5.5,
         "alone_us": 5.0, "regret": 0.1},
        {"name": "odd", "weight": 1.0, "made_for": "large", "predicted_us": null,
         "alone_us": 7.0, "regret": null}])");
    const Result<std::string> text = explain_report(report);
    ASSERT_TRUE(text.ok()) << text.error().message;
    for (std::string_view part : {"Sizes", "large", "2.5", "80.25", "medium", "5.5", "10", "odd"}) {
        EXPECT_TRUE(has(*text, part)) << part << "\n" << *text;
    }
    EXPECT_FALSE(has(*explain_report(kReport), "Sizes"));
}

TEST(ExplainReport, GivesSharesOfTheWholeTime) {
    const std::string text = explain_report(kReport).value();
    const size_t row = text.find("evaluate");
    ASSERT_NE(row, std::string::npos);
    const std::string line = text.substr(row, text.find('\n', row) - row);
    EXPECT_TRUE(has(line, "0.25")) << line;
    EXPECT_TRUE(has(line, "50")) << line;
}

TEST(ExplainReport, LeavesOutWhatAGivenScheduleHasNot) {
    const Result<std::string> text = explain_report(R"({
        "format": "autoschedule_gpu.report", "version": 1, "target": "x86-64-linux-cuda",
        "gpu": "A100", "model": null, "chosen": "trace", "search": null,
        "trial_lowerings_refused": [], "predicted_us": null, "predictions": null,
        "total_seconds": 0.75, "nest": null})");
    ASSERT_TRUE(text.ok()) << text.error().message;
    EXPECT_TRUE(has(*text, "chosen: trace")) << *text;
    for (std::string_view part : {"Kernels", "Time", "Ruled out"}) {
        EXPECT_FALSE(has(*text, part)) << part << "\n" << *text;
    }
}

TEST(ExplainReport, RefusesWhatIsNoReport) {
    for (std::string_view text : {"", "[]", "{", "{\"format\": \"else\"}", "3"}) {
        const Result<std::string> result = explain_report(text);
        ASSERT_FALSE(result.ok()) << text;
        EXPECT_TRUE(has(result.error().message, "expected a report")) << result.error().message;
    }
}

TEST(ExplainReport, NamesWhatIsMissing) {
    const Result<std::string> result =
        explain_report("{\"format\": \"autoschedule_gpu.report\", \"search\": {}}");
    ASSERT_FALSE(result.ok());
    EXPECT_TRUE(has(result.error().message, "field")) << result.error().message;
    std::string broken(kReport);
    broken.replace(broken.find("0.125"), 5, "null ");
    EXPECT_FALSE(explain_report(broken).ok());
}

}  // namespace
}  // namespace autoschedule_gpu
