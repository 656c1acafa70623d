#include "compare/ablation/tables.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "present/markdown.h"
#include "present/terminal.h"
#include "present/text.h"
#include "unit/compare/ablation/sample_rows.h"

namespace autoschedule_gpu {
namespace {

using Texts = std::vector<std::string>;

AblationRow with(AblationRow row, int64_t states, double seconds, double predicted_us,
                 double peak_mb) {
    row.search->states_scored = states;
    row.search->predicted_us = predicted_us;
    row.search_s = {seconds};
    row.peak_mb = peak_mb;
    return row;
}

// Two applications, of one the slowest search failed: 10 and 20 % of the states.
std::vector<AblationRow> two_apps() {
    return {with(ablation_sample::row("blur", "memo+sampling+freeze"), 100, 1, 60, 110),
            with(ablation_sample::row("blur", "none"), 1000, 8, 40, 90),
            with(ablation_sample::row("scan", "memo+sampling+freeze"), 400, 2, 10, 120),
            with(ablation_sample::row("scan", "none"), 2000, 64, 20, 80)};
}

Table table(const std::vector<AblationRow> &rows, const std::string &title) {
    for (const Table &table : ablation_tables(rows, "2 x invented")) {
        if (table.title == title) return table;
    }
    return {};
}

Texts line_of(const Table &table, const std::string &application) {
    for (const TableLine &line : table.sections.at(0).lines) {
        if (line.cells.at(0).text != application) continue;
        Texts texts;
        for (size_t c = 1; c < line.cells.size(); ++c) {
            const bool best = line.cells[c].mark == CellMark::best;
            texts.push_back(line.cells[c].text + (best ? "*" : ""));
        }
        return texts;
    }
    return {};
}

TEST(AblationTables, StatesAreGivenWithTheirShareOfThoseWithoutSamplingAndFreezing) {
    const Table states = table(two_apps(), "States evaluated");
    EXPECT_EQ(line_of(states, "blur"), (Texts{"100 (10.0%)*", "1000 (100%)"}));
    EXPECT_EQ(line_of(states, "scan"), (Texts{"400 (20.0%)*", "2000 (100%)"}));
}

TEST(AblationTables, StatesAreToldWithThePassesThatWereMadeOverThem) {
    std::vector<AblationRow> rows = two_apps();
    rows[1].search->passes = rows[3].search->passes = 1;
    rows[2].search->passes = 3;
    const std::string legend = table(rows, "States evaluated").legend;
    EXPECT_TRUE(legend.starts_with("Passes made: s+f 3 to 5, neither 1. s: ")) << legend;
}

TEST(AblationTables, TheLastLineIsTheGeometricMean) {
    // sqrt(100 * 400) = 200, sqrt(1000 * 2000) = 1414; sqrt(10 * 20) = 14.1 %.
    EXPECT_EQ(line_of(table(two_apps(), "States evaluated"), "geomean"),
              (Texts{"200 (14.1%)*", "1414 (100%)"}));
}

TEST(AblationTables, SpeedupsAreAgainstTheSearchWithAllOff) {
    const Table speedups = table(two_apps(), "Speedup of the search");
    EXPECT_EQ(line_of(speedups, "blur"), (Texts{"8.00*", "1.00"}));
    EXPECT_EQ(line_of(speedups, "scan"), (Texts{"32.0*", "1.00"}));
    EXPECT_EQ(line_of(speedups, "geomean"), (Texts{"16.0*", "1.00"}));
}

TEST(AblationTables, ThereIsNoSpeedupWithoutTheSearchWithAllOff) {
    EXPECT_TRUE(
        table({ablation_sample::row("blur", "memo")}, "Speedup of the search").sections.empty());
}

TEST(AblationTables, SearchTimesAreMedians) {
    AblationRow row = ablation_sample::row("blur", "none");
    row.search_s = {9, 1, 2};
    EXPECT_EQ(line_of(table({row}, "Search time"), "blur"), Texts{"2.00"});
}

TEST(AblationTables, PredictedCostsAreRelativeToTheBest) {
    const Table costs = table(two_apps(), "Predicted cost");
    EXPECT_EQ(line_of(costs, "blur"), (Texts{"1.50", "1.00*"}));
    EXPECT_EQ(line_of(costs, "scan"), (Texts{"1.00*", "2.00"}));
}

TEST(AblationTables, PredictedCostsAreRelativeToTheExhaustiveSearchWhereItCompleted) {
    std::vector<AblationRow> rows = two_apps();
    rows.push_back(with(ablation_sample::row("blur", "exhaustive"), 9000, 99, 30, 200));
    rows.push_back(ablation_sample::failed_row("scan", "exhaustive"));
    const Table costs = table(rows, "Predicted cost");
    EXPECT_EQ(line_of(costs, "blur"), (Texts{"2.00", "1.33*", "1.00"}));
    EXPECT_EQ(line_of(costs, "scan"), (Texts{"1.00*", "2.00", "timeout"}));
    EXPECT_EQ(costs.sections[0].lines[0].note, "");
    EXPECT_EQ(costs.sections[0].lines[1].note, "against the best");
    // The yardstick lacks one application: the others' means do not suffer.
    EXPECT_EQ(line_of(costs, "geomean"), (Texts{"1.41*", "1.63", "-"}));
}

TEST(AblationTables, AScheduleThatIsNotTheSearchsIsTold) {
    std::vector<AblationRow> rows = two_apps();
    rows[1].search->chosen = "no_fusion";
    EXPECT_EQ(table(rows, "Predicted cost").sections[0].lines[0].note,
              "none: Halide took the schedule \"no_fusion\" instead of the search's");
}

TEST(AblationTables, MemoryIsShownOfEveryConfiguration) {
    EXPECT_EQ(line_of(table(two_apps(), "Peak memory"), "blur"), (Texts{"110", "90.0*"}));
}

TEST(AblationTables, AFailureIsACellAndItsApplicationHasNoPartInTheMean) {
    std::vector<AblationRow> rows = two_apps();
    rows[3] = ablation_sample::failed_row("scan", "none");
    const Table states = table(rows, "States evaluated");
    EXPECT_EQ(line_of(states, "scan"), (Texts{"400", "timeout"}));
    EXPECT_EQ(line_of(states, "geomean of 1"), (Texts{"100 (10.0%)*", "1000 (100%)"}));
    const Table failures = table(rows, "Failures");
    EXPECT_EQ(failures.columns.at(1).title, "configuration");
    EXPECT_EQ(line_of(failures, "scan"), (Texts{"none", "timeout: no end after 300 s"}));
}

TEST(AblationTables, ASearchThatWasCutShortCountsNowhere) {
    std::vector<AblationRow> rows = two_apps();
    rows[3].search->stop_reason = "time_limit";
    for (const char *title : {"States evaluated", "Search time", "Predicted cost", "Peak memory"}) {
        const Texts line = line_of(table(rows, title), "scan");
        EXPECT_EQ(line.at(1), "cut off") << title;
        EXPECT_NE(line_of(table(rows, title), "geomean of 1"), Texts{}) << title;
    }
}

TEST(AblationTables, WithoutTheMemosSearchTheOtherOneGivesTheStates) {
    const std::vector<AblationRow> rows = {ablation_sample::failed_row("blur", "memo+sampling"),
                                           ablation_sample::row("blur", "sampling")};
    EXPECT_EQ(line_of(table(rows, "States evaluated"), "blur"), Texts{"1000"});
    EXPECT_EQ(line_of(table(rows, "Search time"), "blur"), (Texts{"timeout", "2.00"}));
}

TEST(AblationTables, AllConfigurationsOfLongNamesFitTheTerminal) {
    std::vector<AblationRow> rows;
    for (const char *configuration :
         {"memo+sampling+freeze", "memo+sampling", "memo+freeze", "memo", "sampling+freeze",
          "sampling", "freeze", "none", "default", "exhaustive"}) {
        rows.push_back(with(ablation_sample::row("depthwise_separable_conv", configuration),
                            47366901, 59085.78, 12345.6, 18957));
        rows.back().search->states_enumerated = 98765432;
    }
    for (const Table &table : ablation_tables(rows, "2 x invented")) {
        const std::string text = terminal_text(table);
        for (size_t begin = 0; begin < text.size();) {
            const size_t end = text.find('\n', begin);
            EXPECT_LE(text_width(text.substr(begin, end - begin)), kTerminalColumns)
                << text.substr(begin, end - begin);
            begin = end + 1;
        }
    }
}

TEST(AblationTables, AreTextAndMarkdown) {
    const Table states = table(two_apps(), "States evaluated");
    EXPECT_NE(
        terminal_text(states).find("* the best of its line. Passes made: s+f 5, neither 5. s: "),
        std::string::npos)
        << terminal_text(states);
    const std::string markdown = markdown_text(states);
    EXPECT_NE(markdown.find("| blur | **100 (10.0%)** | 1000 (100%) |\n"), std::string::npos)
        << markdown;
    EXPECT_NE(markdown.find("Bold: the best of its line."), std::string::npos);
    EXPECT_TRUE(markdown.ends_with("search.\n"));
}

TEST(AblationTables, OfNoRowsThereIsNone) {
    EXPECT_TRUE(ablation_tables({}, "").empty());
}

}  // namespace
}  // namespace autoschedule_gpu
