#include "compare/ablation/search_report.h"

#include <gtest/gtest.h>

#include "unit/compare/ablation/canned_report.h"
#include "unit/compare/ablation/sample_rows.h"

namespace autoschedule_gpu {
namespace {

TEST(SearchReport, GivesCountersPhasesAndSeconds) {
    const Result<SearchRun> run = parse_search_report(ablation_sample::report().dump());
    ASSERT_TRUE(run) << run.error().message;
    const AblationRow expected = ablation_sample::row("blur", "memo");
    EXPECT_EQ(run->figures, expected.search);
    EXPECT_EQ(run->phases, expected.phases);
    EXPECT_EQ(run->seconds, 2);
}

TEST(SearchReport, AMissingFieldIsNamed) {
    for (const char *field : {"states_scored", "phase_seconds", "memo_hits", "seconds"}) {
        auto report = ablation_sample::report();
        report["search"].erase(field);
        const Result<SearchRun> run = parse_search_report(report.dump());
        ASSERT_FALSE(run) << field;
        EXPECT_NE(run.error().message.find(field), std::string::npos) << run.error().message;
    }
}

TEST(SearchReport, AValueOfAnotherKindIsRefused) {
    auto report = ablation_sample::report();
    report["predicted_us"] = nullptr;  // as an infinite cost is written
    EXPECT_FALSE(parse_search_report(report.dump()));
}

TEST(SearchReport, WhatIsNoReportOfThisVersionIsRefused) {
    auto later = ablation_sample::report();
    later["version"] = 2;
    for (const std::string &text :
         {std::string(), std::string("[]"), std::string("{}"), later.dump(),
          ablation_sample::report().dump().substr(0, 100)}) {
        EXPECT_FALSE(parse_search_report(text)) << text;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
