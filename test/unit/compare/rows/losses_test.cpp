#include "compare/rows/losses.h"

#include <gtest/gtest.h>

#include <limits>

#include "compare/rows/groups.h"
#include "compare/rows/summary.h"
#include "unit/compare/rows/sample_rows.h"

namespace autoschedule_gpu {
namespace {

// "run_ms 1.5 of manual, 1 ahead" and so on.
std::vector<std::string> shown(const Losses &losses) {
    std::vector<std::string> lines;
    for (const MetricLoss &loss : losses.metrics) {
        lines.push_back(loss.group + ": " + std::string(loss.metric->key) + " " +
                        decimal_text(loss.times_worse) + " of " + loss.best_scheduler + ", " +
                        std::to_string(loss.better_schedulers) + " ahead");
    }
    return lines;
}

const SummaryCell &cell(const SummaryLine &line, std::string_view key) {
    return line.cells[static_cast<size_t>(find_metric(key) - comparison_metrics().data())];
}

TEST(Losses, NameTheBestOfThoseThatAreAhead) {
    ComparisonRow ours = sample::row("blur", "gpu"), manual = sample::row("blur", "manual");
    ComparisonRow rival = sample::row("blur", "li2018");
    manual.run_ms = 0.4;
    rival.run_ms = 0.25;
    rival.kernels[0].occupancy = 0.75;
    const Losses losses = find_losses({ours, manual, rival}, "gpu");
    EXPECT_EQ(shown(losses),
              (std::vector<std::string>{"blur: least_occupancy 1.50 of li2018, 1 ahead",
                                        "blur: mean_occupancy 1.50 of li2018, 1 ahead",
                                        "blur: run_ms 2.00 of li2018, 2 ahead"}));
    EXPECT_EQ(losses.metrics[2].value, 0.5);
    EXPECT_EQ(losses.metrics[2].best_value, 0.25);
    // All figures but registers and shared memory, which are never judged.
    EXPECT_EQ(losses.compared, 10);
}

TEST(Losses, BeginAboveFivePerCent) {
    ComparisonRow ours = sample::row("blur", "gpu"), manual = sample::row("blur", "manual");
    ours.run_ms = 105;
    manual.run_ms = 100;
    EXPECT_TRUE(find_losses({ours, manual}, "gpu").metrics.empty());
    ours.run_ms = 105.1;
    EXPECT_EQ(find_losses({ours, manual}, "gpu").metrics.size(), 1u);
}

TEST(Losses, AreInfiniteAgainstZero) {
    ComparisonRow ours = sample::row("blur", "gpu");
    ours.kernels[0].spill_bytes = 8;
    const Losses losses = find_losses({sample::row("blur", "root"), ours}, "gpu");
    ASSERT_EQ(losses.metrics.size(), 1u);
    EXPECT_EQ(losses.metrics[0].times_worse, std::numeric_limits<double>::infinity());
}

TEST(Losses, CountNeitherOwnConfigurationsNorFailuresNorOtherSizes) {
    ComparisonRow configured = sample::row("blur", "gpu:beam_size=1");
    ComparisonRow failed = sample::row("blur", "li2018"), reduced = sample::row("blur", "manual");
    configured.search_s = failed.search_s = reduced.search_s = 0.1;
    failed.failure = RowFailure{FailureKind::launch, "no"};
    reduced.size = "reduced";
    const Losses losses =
        find_losses({sample::row("blur", "gpu"), configured, failed, reduced}, "gpu");
    EXPECT_TRUE(losses.metrics.empty());
    EXPECT_EQ(losses.compared, 0);
}

TEST(Losses, LeaveOutWhatOneOfThemDoesNotKnow) {
    ComparisonRow ours = sample::row("blur", "gpu"), manual = sample::row("blur", "manual");
    manual.search_s.reset();
    manual.peak_mb = 1;
    ours.peak_mb.reset();
    EXPECT_TRUE(find_losses({ours, manual}, "gpu").metrics.empty());
    EXPECT_EQ(find_losses({ours, manual}, "gpu").compared, 8);
}

TEST(Losses, TellWhatOthersDidAndThisDidNot) {
    const std::vector<ComparisonRow> rows = {
        sample::failed_row("blur", "gpu", FailureKind::search, "no room"),
        sample::row("blur", "manual"), sample::row("blur", "root"),
        sample::failed_row("scan", "gpu", FailureKind::search, "no room"),
        sample::failed_row("scan", "manual", FailureKind::crash, "signal 11")};
    const Losses losses = find_losses(rows, "gpu");
    ASSERT_EQ(losses.failures.size(), 1u);
    EXPECT_EQ(losses.failures[0].app, "blur");
    EXPECT_EQ(losses.failures[0].reason, "search: no room");
    EXPECT_EQ(losses.failures[0].done_by, (std::vector<std::string>{"manual", "root"}));
}

TEST(Losses, OfASchedulerThatIsNotThereAreNone) {
    const Losses losses = find_losses({sample::row("blur", "manual")}, "gpu");
    EXPECT_TRUE(losses.metrics.empty() && losses.failures.empty());
    EXPECT_TRUE(find_losses({}, "gpu").metrics.empty());
}

TEST(Groups, AreTitledByWhatDiffers) {
    ComparisonRow reduced = sample::row("blur", "gpu");
    reduced.size = "reduced";
    const std::vector<ComparisonRow> rows = {
        sample::row("blur", "gpu"), reduced, sample::row("scan", "gpu"),
        sample::failed_row("blur", "li2018", FailureKind::crash, "signal 11")};
    const std::vector<ComparisonGroup> groups = group_rows(rows);
    ASSERT_EQ(groups.size(), 3u);
    EXPECT_EQ(groups[0].title, "blur, full");
    EXPECT_EQ(groups[1].title, "blur, reduced");
    EXPECT_EQ(groups[2].title, "scan, full");
    // A row that never reached the device belongs to those that did.
    EXPECT_EQ(groups[0].rows.size(), 2u);
}

TEST(Summary, TakesGeometricMeansOverWhatBothDid) {
    std::vector<ComparisonRow> rows;
    const auto add = [&](const char *app, double own_ms, double base_ms) {
        rows.push_back(sample::row(app, "gpu"));
        rows.back().run_ms = own_ms;
        rows.push_back(sample::row(app, "manual"));
        rows.back().run_ms = base_ms;
        rows.back().search_s.reset();
    };
    add("blur", 8, 1);
    add("scan", 1, 2);
    rows.push_back(sample::row("alone", "gpu"));
    rows.push_back(sample::failed_row("alone", "manual", FailureKind::compile, "no"));
    const std::vector<SummaryLine> lines = summarise(rows, "manual");
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].scheduler, "gpu");
    EXPECT_EQ(lines[0].ok, 3);
    EXPECT_EQ(lines[0].verified, 3);
    EXPECT_EQ(lines[1].ok, 2);
    EXPECT_EQ(lines[1].asked, 3);
    EXPECT_EQ(cell(lines[0], "run_ms").apps, 2);
    EXPECT_DOUBLE_EQ(*cell(lines[0], "run_ms").ratio, 2);  // sqrt(8 * 1/2)
    EXPECT_EQ(cell(lines[0], "search_s").apps, 0);
    EXPECT_EQ(cell(lines[0], "search_s").ratio, std::nullopt);
    EXPECT_EQ(cell(lines[1], "run_ms").ratio, 1);
}

TEST(Summary, HasSumsWhereARatioWouldDivideByZero) {
    ComparisonRow spilling = sample::row("blur", "gpu");
    spilling.kernels[0].spill_bytes = 24;
    const std::vector<SummaryLine> lines =
        summarise({spilling, sample::row("blur", "manual"), sample::row("scan", "gpu"),
                   sample::row("scan", "manual")},
                  "manual");
    const SummaryCell &spills = cell(lines[0], "spill_bytes");
    EXPECT_EQ(spills.ratio, std::nullopt);
    EXPECT_EQ(spills.apps, 2);
    EXPECT_EQ(spills.total, 24);
    EXPECT_EQ(spills.baseline_total, 0);
    EXPECT_EQ(cell(lines[1], "spill_bytes").ratio, 1);
}

}  // namespace
}  // namespace autoschedule_gpu
