#include "compare/rows/cross_resolution.h"

#include <gtest/gtest.h>

#include "compare/rows/tables.h"
#include "present/markdown.h"
#include "present/terminal.h"
#include "unit/compare/rows/sample_rows.h"

namespace autoschedule_gpu {
namespace {

CrossRow timed(const std::string &scheduled_for, const std::string &run_at, double run_ms) {
    CrossRow row = sample::cross_row(scheduled_for, run_at);
    row.verified = true;
    row.run_ms = run_ms;
    return row;
}

CrossRow failed(const std::string &scheduled_for, const std::string &run_at) {
    CrossRow row = sample::cross_row(scheduled_for, run_at);
    row.failure = RowFailure{FailureKind::halide, "smaller than a tile"};
    return row;
}

std::vector<CrossRow> four_ways() {
    return {timed("full", "full", 4), failed("full", "tiny"), timed("tiny", "full", 10),
            timed("tiny", "tiny", 0.1)};
}

TEST(CrossResolution, TellsTheSlowdownAgainstTheScheduleMadeForTheSize) {
    const std::vector<CrossTable> tables = cross_tables(four_ways());
    ASSERT_EQ(tables.size(), 1u);
    const CrossTable &table = tables[0];
    EXPECT_EQ(table.scheduled_for[1].name, "tiny");
    EXPECT_EQ(table.run_at[0].name, "full");
    EXPECT_EQ(table.cells[0][0].text, "1.00");
    EXPECT_EQ(table.cells[0][1].text, "Halide");
    EXPECT_TRUE(table.cells[0][1].failure);
    EXPECT_EQ(table.cells[1][0].slowdown, 2.5);
    EXPECT_EQ(table.cells[1][1].text, "1.00");
}

TEST(CrossResolution, TellsTheTimeWhereTheScheduleMadeForTheSizeHasNone) {
    const std::vector<CrossTable> tables =
        cross_tables({failed("full", "full"), timed("tiny", "full", 10)});
    EXPECT_EQ(tables[0].cells[1][0].text, "10.0 ms");
    EXPECT_EQ(tables[0].cells[1][0].slowdown, std::nullopt);
}

TEST(CrossResolution, TellsWhatWasVerifiedWhereNothingWasTimed) {
    CrossRow verified = sample::cross_row("full", "full");
    verified.verified = true;
    const CrossTable table = cross_tables({verified, sample::cross_row("tiny", "tiny")}).front();
    EXPECT_EQ(table.cells[0][0].text, "verified");
    EXPECT_EQ(table.cells[1][1].text, "ran");
    EXPECT_EQ(table.cells[0][1].text, "-");
}

TEST(CrossResolution, KeepsSchedulersApplicationsAndDevicesApart) {
    CrossRow manual = timed("full", "full", 1), other = timed("full", "full", 2);
    manual.scheduler = "manual";
    other.device = "none";
    EXPECT_EQ(cross_tables({timed("full", "full", 4), manual, other}).size(), 3u);
    EXPECT_TRUE(cross_tables({}).empty());
}

TEST(CrossResolution, IsPrintedAsText) {
    EXPECT_EQ(terminal_text(tables_for_text(four_ways())), R"(blur, gpu
=========
On cuda: invented. Lines: the size scheduled for. Columns: the size run at. Slowdown against the schedule made for that
size.

scheduled for  full    tiny
full           1.00  Halide
    at tiny: Halide: smaller than a tile
tiny           2.50    1.00

)");
}

TEST(CrossResolution, IsPrintedAsMarkdown) {
    const std::string text = markdown_text(tables_for_text(four_ways()));
    EXPECT_TRUE(text.starts_with("**blur, gpu.** On cuda: invented. ")) << text;
    EXPECT_TRUE(text.ends_with(R"(

| scheduled for | full | tiny | note |
|---|---:|---:|---|
| full | 1.00 | Halide | at tiny: Halide: smaller than a tile |
| tiny | 2.50 | 1.00 |  |
)")) << text;
}

}  // namespace
}  // namespace autoschedule_gpu
