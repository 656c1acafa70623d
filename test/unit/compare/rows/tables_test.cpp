// The comparison as text, against the files in gold/, which were read and found right.
#include "compare/rows/tables.h"

#include <gtest/gtest.h>

#include <sstream>

#include "core/support/file.h"
#include "present/markdown.h"
#include "present/terminal.h"
#include "present/text.h"
#include "unit/compare/rows/sample_rows.h"

namespace autoschedule_gpu {
namespace {

// Ours loses run time and spills, wins the search; one scheduler fails, one has an odd name and
// traffic that is only estimated, the manual schedule needs no search.
std::vector<ComparisonRow> sample_rows() {
    ComparisonRow ours = sample::row("blur", "gpu");
    ours.kernels.push_back(sample::kernel("k1"));
    ours.kernels[1].spill_bytes = 24;
    ComparisonRow odd = sample::row("blur", "gpu:beam_size=1:disable_rules=idle_sms");
    odd.search_s = 0.25;
    odd.kernels[0].exact = false;
    ComparisonRow manual = sample::row("blur", "manual");
    manual.search_s.reset();
    manual.search_s_interval.reset();
    manual.search_s_samples = 0;
    manual.peak_mb.reset();
    manual.run_ms = 0.25;
    return {ours,
            odd,
            sample::failed_row("blur", "li2018", FailureKind::ptxas,
                               "Entry function '_kernel_blur_s0' uses too much shared memory, "
                               "which is more than a line of the terminal can hold | or so."),
            manual,
            sample::row("scan", "gpu"),
            sample::failed_row("scan", "manual", FailureKind::timeout, "no end after 60 s.")};
}

Presentation sample_presentation() {
    Presentation presentation;
    presentation.notes = {{"blur", "run_ms", "The expert keeps a row in registers."},
                          {"", "kernels", "Ours fuses less."}};
    return presentation;
}

std::string gold(const std::string &name) {
    return read_file(std::string(GOLD_FOLDER) + "/" + name).value();
}

TEST(TerminalText, IsLaidOutInColumns) {
    EXPECT_EQ(terminal_text(tables_for_text(sample_rows(), sample_presentation())),
              gold("comparison.txt"));
}

TEST(MarkdownText, IsTheSameTables) {
    EXPECT_EQ(markdown_text(tables_for_text(sample_rows(), sample_presentation())),
              gold("comparison.md"));
}

TEST(TerminalText, FitsTheTerminalWhateverTheNames) {
    std::vector<ComparisonRow> rows = sample_rows();
    for (ComparisonRow &row : rows) {
        row.scheduler += ":weights_path=a_rather_long_name_of_a_file_in_a_folder,threads=16";
        if (row.search_s) row.search_s = 12345.6;
        for (RowKernel &kernel : row.kernels) kernel.access_load_bytes = 123456e6;
    }
    std::istringstream lines(terminal_text(tables_for_text(rows)));
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(text_width(line), kTerminalColumns) << line;
        EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
    }
}

TEST(TerminalText, OfOneRowHasATableAndNothingToCompare) {
    const std::string text = terminal_text(tables_for_text({sample::row("blur", "gpu")}));
    EXPECT_NE(text.find("1 of 1 rows are ok."), std::string::npos);
    EXPECT_NE(text.find("No other scheduler has figures to compare gpu with."), std::string::npos);
    EXPECT_EQ(text.find("Schedulers against"), std::string::npos);
    EXPECT_EQ(text.find('*'), std::string::npos);
}

TEST(TerminalText, OfNoRowsSaysSo) {
    EXPECT_EQ(terminal_text(tables_for_text(std::vector<ComparisonRow>{})),
              R"(Schedulers by application
=========================
There are no rows.

Where gpu loses
===============
No other scheduler has figures to compare gpu with.

)");
    EXPECT_EQ(terminal_text(tables_for_text(std::vector<CrossRow>{})), "");
}

TEST(TerminalText, OfFailuresAloneGivesTheirReasons) {
    const std::string text = terminal_text(
        tables_for_text({sample::failed_row("blur", "gpu", FailureKind::search, "no room."),
                         sample::failed_row("blur", "manual", FailureKind::crash, "signal 11.")}));
    EXPECT_NE(text.find("0 of 2 rows are ok."), std::string::npos);
    EXPECT_NE(text.find("    failed: search: no room.\n"), std::string::npos);
    EXPECT_NE(text.find("    failed: crash: signal 11.\n"), std::string::npos);
}

TEST(TerminalText, TellsAScheduleWithoutKernels) {
    ComparisonRow row = sample::row("blur", "li2018");
    row.kernels.clear();
    EXPECT_NE(terminal_text(tables_for_text({row})).find("    no kernel is known\n"),
              std::string::npos);
}

TEST(MarkdownText, OfNoRowsSaysSo) {
    EXPECT_EQ(markdown_text(tables_for_text(std::vector<ComparisonRow>{})),
              R"(**Schedulers by application.** There are no rows.

**Where gpu loses.** No other scheduler has figures to compare gpu with.
)");
    EXPECT_EQ(markdown_text(tables_for_text(std::vector<CrossRow>{})), "");
}

TEST(MarkdownText, EscapesWhatWouldBeMarkup) {
    const std::string text = markdown_text(tables_for_text(
        {sample::failed_row("a|b", "x_y*z", FailureKind::compile, "<b> `c` [d](e) & \n f")}));
    EXPECT_NE(text.find("| a\\|b | x\\_y\\*z |"), std::string::npos) << text;
    EXPECT_NE(text.find("failed: compile: &lt;b> \\`c\\` \\[d\\](e) &amp;   f |"),
              std::string::npos)
        << text;
}

TEST(TerminalText, SaysWhyKernelsWereNotCounted) {
    ComparisonRow row = sample::row("blur", "gpu");
    row.kernels = {RowKernel{.name = "k0", .registers = 32}};
    row.uncounted = "variable n has no value";
    const Table table = comparison_table({row});
    EXPECT_EQ(table.sections[0].lines[0].note,
              "not counted, and the device's limits not checked in full: variable n has no value");
}

}  // namespace
}  // namespace autoschedule_gpu
