#include <gtest/gtest.h>

#include "fake_session.h"
#include "tune/run/page.h"
#include "tune/run/tuner.h"
#include "tune/strategies/registry.h"

namespace autoschedule_gpu {
namespace {

TEST(Convergence, IsOfTheMeasuredTrialsAndNeverRises) {
    FakeSession fake({8, 8}, 8, [](const FakeExecutor::Point &p) { return 1.0 + p[0] + p[1]; });
    const TuneOptions options{.mode = TuneMode::autotune, .batch = 9, .iterations = 1};
    const TunePlan plan{.strategies = {TuneStrategyRegistry().find("batch").value().make(options)}};
    const Result<Finals> finals = tune(fake.session, plan);
    ASSERT_TRUE(finals);
    const Convergence run = convergence(fake.journal);
    EXPECT_EQ(run.trials, static_cast<int>(fake.events("trial").size()));
    const std::vector<ConvergencePoint> &points = run.points;
    EXPECT_EQ(points.size(), fake.executor.runs.size());
    for (size_t i = 1; i < points.size(); ++i) {
        EXPECT_LE(points[i].best_ms, points[i - 1].best_ms);
        EXPECT_GT(points[i].trial, points[i - 1].trial);
    }
    const std::string page = tune_page({.title = "fake <tuned>",
                                        .date = "2026-11-22",
                                        .command = "autotune --app fake",
                                        .reproduce = "fake.generator"},
                                       fake.session, *finals);
    for (const char *part : {"<svg", "fake &lt;tuned&gt;", "without tuning", "Convergence",
                             "autotune --app fake", "times as fast"}) {
        EXPECT_NE(page.find(part), std::string::npos) << part;
    }
    EXPECT_EQ(page.find("Coordinate descent"), std::string::npos);
    // The winner is named by its place in the plot, and by what it decides.
    const std::string &winner = fake.session.trials()[finals->best().trial].draw.schedule;
    for (const Journal::Event &event : fake.events("trial")) {
        if (event.at("schedule") != winner) continue;
        const std::string name = "<b>trial " + event.at("number").dump() + "</b>";
        EXPECT_NE(page.find(name), std::string::npos) << name;
    }
    EXPECT_NE(page.find(", not 8"), std::string::npos);
    EXPECT_EQ(page.find(winner), std::string::npos);
    EXPECT_EQ(convergence_svg({}), "");
}

}  // namespace
}  // namespace autoschedule_gpu
