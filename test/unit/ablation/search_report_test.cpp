#include "ablation/search_report.h"

#include <gtest/gtest.h>

#include "unit/ablation/canned_report.h"
#include "unit/ablation/sample_rows.h"

namespace autoschedule_gpu {
namespace {

TEST(SearchReport, GivesCountersPhasesAndSeconds) {
    const Result<SearchRun> run = parse_search_report(sample::report().dump());
    ASSERT_TRUE(run) << run.error().message;
    const AblationRow expected = sample::row("blur", "memo");
    EXPECT_EQ(run->figures, expected.search);
    EXPECT_EQ(run->phases, expected.phases);
    EXPECT_EQ(run->seconds, 2);
}

TEST(SearchReport, AMissingFieldIsNamed) {
    for (const char *field : {"states_scored", "phase_seconds", "memo_hits", "seconds"}) {
        auto report = sample::report();
        report["search"].erase(field);
        const Result<SearchRun> run = parse_search_report(report.dump());
        ASSERT_FALSE(run) << field;
        EXPECT_NE(run.error().message.find(field), std::string::npos) << run.error().message;
    }
}

TEST(SearchReport, AValueOfAnotherKindIsRefused) {
    auto report = sample::report();
    report["predicted_us"] = nullptr;  // as an infinite cost is written
    EXPECT_FALSE(parse_search_report(report.dump()));
}

TEST(SearchReport, WhatIsNoReportOfThisVersionIsRefused) {
    auto later = sample::report();
    later["version"] = 2;
    for (const std::string &text : {std::string(), std::string("[]"), std::string("{}"),
                                    later.dump(), sample::report().dump().substr(0, 100)}) {
        EXPECT_FALSE(parse_search_report(text)) << text;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
