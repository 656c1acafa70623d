#include <gtest/gtest.h>

#include "compare/rows/comparison_folder.h"
#include "compare/rows/comparison_page.h"
#include "core/process/subprocess.h"
#include "core/process/temporary_folder.h"
#include "core/support/file.h"
#include "present/html.h"
#include "unit/compare/rows/sample_rows.h"
#include "unit/scratch.h"

namespace autoschedule_gpu {
namespace {

// What check_page.py finds wrong with a page: nothing, if all is well.
std::string faults_of(const std::string &page) {
    const TemporaryFolder folder = TemporaryFolder::create("compare_test_").value();
    const std::string path = folder.path() / "index.html";
    if (!write_file(path, page)) return "could not write";
    const Result<ProcessResult> result =
        run_process({PYTHON, "-B", CHECK_PAGE, path}, std::chrono::seconds(60));
    if (!result) return result.error().message;
    return result->code == 0 ? "" : result->out + result->err;
}

bool has(const std::string &page, const std::string &text) {
    return page.find(text) != std::string::npos;
}

size_t count(const std::string &page, const std::string &text) {
    size_t found = 0;
    for (size_t at = page.find(text); at != std::string::npos; at = page.find(text, at + 1))
        found++;
    return found;
}

std::vector<ComparisonRow> two_applications() {
    ComparisonRow worse = sample::row("blur", "gpu");
    worse.run_ms = 0.7;
    ComparisonRow manual = sample::row("blur", "manual");
    manual.search_s.reset();
    manual.search_s_interval.reset();
    return {worse, manual, sample::row("scan", "gpu"),
            sample::failed_row("scan", "manual", FailureKind::ptxas, "too many registers")};
}

TEST(HtmlPage, IsWellFormedAndSufficientInItself) {
    PageHeader header;
    header.date = "2000-01-01";
    header.command = "compare_autoschedulers --apps all";
    header.machine = "invented";
    CrossRow cross = sample::cross_row("full", "full");
    cross.run_ms = 1;
    const std::string page = comparison_page(header, two_applications(), {}, {cross});
    EXPECT_EQ(faults_of(page), "");
    EXPECT_FALSE(has(page, "http"));
    for (const char *part : {"2000-01-01", "compare_autoschedulers --apps all", "invented",
                             "Summary", "Where gpu loses", "Schedulers by application", "Plots",
                             "Roofline", "Failures", "Schedules at other sizes", "Kernels"}) {
        EXPECT_TRUE(has(page, part)) << part;
    }
}

TEST(HtmlPage, IsCheckedForWhatItMustNotHave) {
    const auto faulty = [](const std::string &part) {
        std::string page = comparison_page({}, {});
        page.insert(page.find("<section"), part);
        return faults_of(page);
    };
    EXPECT_EQ(faulty("<p>fine</p>"), "");
    EXPECT_TRUE(has(faulty("<script>1</script>"), "there is a <script>"));
    EXPECT_TRUE(has(faulty("<a href=\"page.html\">x</a>"), "reference to 'page.html'"));
    EXPECT_TRUE(has(faulty("<a href=\"#no\">x</a>"), "link to 'no', which is nowhere"));
    EXPECT_TRUE(has(faulty("<p>a & b</p>"), "not well-formed XML"));
    EXPECT_TRUE(has(faulty("<b><p></b></p>"), "not well-formed XML"));
    EXPECT_TRUE(has(faulty("<p onclick=\"1\">x</p>"), "attribute onclick is a script"));
}

TEST(HtmlPage, EscapesEveryText) {
    const std::string evil = "<script>alert('&\"x\")</script>\x1b[0m\xFF";
    const std::string harmless = "&lt;script&gt;alert('&amp;&quot;x&quot;)&lt;/script&gt;[0m\uFFFD";
    ComparisonRow ok = sample::row(evil, evil), failed = sample::row(evil, evil + "2");
    ok.device = ok.gpu = ok.size = evil;
    ok.kernels[0].name = evil;
    ok.verified_sizes = {{evil, true, evil}};
    failed.failure = RowFailure{FailureKind::crash, evil};
    failed.reproduce = evil;
    CrossRow cross = sample::cross_row(evil, evil);
    cross.app = cross.scheduler = cross.device = evil;
    cross.failure = failed.failure;
    Presentation presentation;
    presentation.subject = evil;
    presentation.baselines = {evil};
    presentation.notes = {{"", "run_ms", evil}};
    PageHeader header;
    header.title = header.date = header.command = header.machine = header.device = evil;
    const std::string page = comparison_page(header, {ok, failed}, presentation, {cross});
    EXPECT_EQ(faults_of(page), "");
    EXPECT_FALSE(has(page, "<script"));
    EXPECT_GE(count(page, harmless), 20u);
}

TEST(HtmlPage, PlotsSayUnitAndWhatIsBetter) {
    const std::string page = comparison_page({}, two_applications());
    EXPECT_TRUE(
        has(page, "search time <small>s, logarithmic scale; further left is better</small>"));
    EXPECT_TRUE(has(page, "run time <small>ms, logarithmic scale; further left is better</small>"));
    EXPECT_TRUE(has(page,
                    "run time, gpu and manual <small>ms, logarithmic scale; below the diagonal gpu "
                    "is better</small>"));
    // Four dot plots; three scatters, for nobody searched for the manual schedule; a roofline of
    // the three schedules that are ok.
    EXPECT_EQ(count(page, "<figure>"), 4u + 3u + 1u);
    EXPECT_EQ(count(page, "<title>"), 1u + 8u + 3u + 3u)
        << "of points, too, but for dots with a text";
}

TEST(HtmlPage, KeepsTheColourOfASchedulerInEveryPlot) {
    const std::string page = comparison_page({}, two_applications());
    // gpu is first and manual second: dots of both in footprint, transactions and run time.
    // Three scatters; two applications in the roofline.
    EXPECT_EQ(count(page, "class=\"point series0\""), 4u * 2u + 3u + 2u);
    EXPECT_EQ(count(page, "class=\"point series1\""), 3u * 1u + 1u);
}

TEST(HtmlPage, DrawsNoDotForWhatFailedButSaysSo) {
    const std::string page = comparison_page({}, two_applications());
    EXPECT_EQ(count(page, ">manual: failed (ptxas)</text>"), 4u);
    EXPECT_TRUE(has(page, "ptxas: too many registers"));
    EXPECT_TRUE(has(page, "bin/scan.generator -g scan"));
}

TEST(HtmlPage, LeavesOutWhatThereIsNot) {
    ComparisonRow row = sample::row("blur", "gpu");
    row.run_ms.reset();
    row.run_ms_interval.reset();
    const std::string page = comparison_page({}, {row});
    EXPECT_EQ(faults_of(page), "");
    EXPECT_EQ(count(page, "<figure>"), 3u + 1u);
    EXPECT_FALSE(has(page, "Failures"));
    EXPECT_FALSE(has(page, "Schedules at other sizes"));
    EXPECT_TRUE(has(page, "No other scheduler has figures to compare gpu with."));
}

TEST(HtmlPage, IsMadeOfNoRows) {
    const std::string page = comparison_page({}, {});
    EXPECT_EQ(faults_of(page), "");
    EXPECT_TRUE(has(page, "There are no rows."));
    EXPECT_EQ(count(page, "<figure>"), 0u);
}

TEST(HtmlPage, IsMadeOfFailuresAlone) {
    const std::string page = comparison_page(
        {}, {sample::failed_row("blur", "gpu", FailureKind::timeout, "no end"),
             sample::failed_row("blur", "manual", FailureKind::crash, "signal 11")});
    EXPECT_EQ(faults_of(page), "");
    EXPECT_TRUE(has(page, "0 of 2 rows are ok."));
    EXPECT_EQ(count(page, "<figure>"), 0u);
}

TEST(HtmlPage, HoldsValuesOfZeroAndOfManyMagnitudes) {
    ComparisonRow none = sample::row("blur", "gpu"), vast = sample::row("blur", "manual");
    none.kernels[0].footprint_load_bytes = none.kernels[0].footprint_store_bytes = 0;
    none.kernels[0].transaction_load_bytes = none.kernels[0].transaction_store_bytes = 0;
    none.run_ms = 1e-9;
    vast.run_ms = 1e12;
    const std::string page = comparison_page({}, {none, vast});
    EXPECT_EQ(faults_of(page), "");
    EXPECT_FALSE(has(page, "nan"));
    EXPECT_FALSE(has(page, "inf<"));
}

TEST(HtmlElement, EscapesItsAttributes) {
    EXPECT_EQ(element("p", {{"title", "a \"b\" <c>"}}, "x &amp; y"),
              "<p title=\"a &quot;b&quot; &lt;c&gt;\">x &amp; y</p>");
}

TEST(ComparisonFolder, NamesTheDeviceThatAnyRowRanOn) {
    const Scratch scratch;
    ComparisonFolder folder(scratch.path("."), {}, {});
    const ComparisonRow failed = sample::failed_row("blur", "li2018", FailureKind::search, "no");
    ASSERT_TRUE(folder.show(std::vector{failed}));
    EXPECT_FALSE(has(text_of(scratch.path("index.html")), "invented"));
    EXPECT_FALSE(has(text_of(scratch.path("index.html")), ">none<"));
    ASSERT_TRUE(folder.show(std::vector{failed, sample::row("blur", "gpu")}));
    EXPECT_TRUE(has(text_of(scratch.path("index.html")), "opencl: invented"));
}

}  // namespace
}  // namespace autoschedule_gpu
