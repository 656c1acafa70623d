#include "compare/explain/explain_page.h"

#include <gtest/gtest.h>

#include <chrono>

#include "compare/explain/explained.h"
#include "compare/explain/kernel_graph.h"
#include "compare/explain/limits.h"
#include "compare/explain/words.h"
#include "core/process/subprocess.h"
#include "core/process/temporary_folder.h"
#include "core/support/file.h"
#include "unit/compare/explain/sample_report.h"

namespace autoschedule_gpu {
namespace {

bool has_part(const std::string &text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

std::string faults_of_page(const std::string &page) {
    const TemporaryFolder folder = TemporaryFolder::create("compare_test_").value();
    const std::string path = folder.path() / "page.html";
    if (!write_file(path, page)) return "could not write";
    const Result<ProcessResult> result =
        run_process({PYTHON, "-B", CHECK_PAGE, path}, std::chrono::seconds(60));
    if (!result) return result.error().message;
    return result->code == 0 ? "" : result->out + result->err;
}

// A schedule that was given as directives: there are loops, and nothing is predicted.
std::string report_of_trace() {
    std::string text = sample::kReport;
    const auto cut = [&](std::string_view from, std::string_view to, std::string_view instead) {
        const size_t begin = text.find(from);
        text.replace(begin, text.find(to) - begin, instead);
    };
    cut("\"predictions\"", "\"loops\": [\n        {", "\"predictions\": null,\n    ");
    cut("\"alternatives\"", "\n})", "\"alternatives\": null");
    text = text.substr(0, text.rfind("\"alternatives\": null")) + "\"alternatives\": null}";
    cut("\"search\": {", "\"trial_lowerings_refused\"", "\"search\": null,\n    ");
    return sample::with(sample::with(text, "\"predicted_us\": 30.0", "\"predicted_us\": null"),
                        "\"chosen\": \"search\"", "\"chosen\": \"trace\"");
}

TEST(ExplainPage, SaysWhatTheReportHas) {
    const Result<std::string> page = explain_page(sample::kReport);
    ASSERT_TRUE(page.ok()) << page.error().message;
    EXPECT_EQ(faults_of_page(*page), "");
    for (std::string_view part :
         {"Schedule of out",
          "2 kernels, predicted to take 30.0 us. blur takes 67 % of it, limited "
          "by DRAM.",
          "1. blur: 20.0 us, 67 % of all",
          "Limited by DRAM.",
          "It moves 12.0 MB to and from DRAM",
          "32 of 64 warps at once: registers (60 per thread) allow 2 blocks per SM.",
          "480 blocks: x 24 × y 20",
          "512 threads: x 512",
          "y 4 per thread; y unrolled",
          "4.00 MB",
          "9.00 kB",
          "where blur_x is computed",
          "+12.5 us",
          "(refused: too much for a "
          "thread)",
          "low_lane_use",
          "1,200",
          "12,345",
          "some &lt;error&gt;",
          "_kernel_blur",
          "321",
          "24 x 20",
          "not known before it runs",
          "id=\"term-occupancy\"",
          "3 values per thread"}) {
        EXPECT_TRUE(has_part(*page, part)) << part;
    }
    EXPECT_FALSE(has_part(*page, "idle_sms")) << "it rejected nothing";
}

TEST(ExplainPage, MarksASecondChoiceThatIsCheaper) {
    const std::string page = explain_page(sample::kReport).value();
    EXPECT_TRUE(has_part(page, "<td class=\"number best\"><b>-0.50 us</b></td>"));
    EXPECT_TRUE(has_part(page, "In 1 case (marked)"));
    const std::string dearer =
        sample::with(sample::kReport, "\"predicted_us\": 29.5", "\"predicted_us\": 30.5");
    EXPECT_FALSE(has_part(explain_page(dearer).value(), "(marked)"));
}

TEST(ExplainPage, SaysThatTimeWasShort) {
    EXPECT_FALSE(has_part(explain_page(sample::kReport).value(), "cut short"));
    const std::string stopped =
        sample::with(sample::kReport, R"("reason": "completed", "text": "completed")",
                     R"("reason": "time_limit", "text": "time_limit, 60.0 s of 60 s")");
    EXPECT_TRUE(has_part(explain_page(stopped).value(),
                         "the search was cut short (time_limit, 60.0 s of 60 s)"));
    const std::string untried =
        sample::with(sample::kReport, "\"chosen_was_tried\": true", "\"chosen_was_tried\": false");
    EXPECT_TRUE(has_part(explain_page(untried).value(), "nothing is known of its code"));
}

TEST(ExplainPage, ShowsTheLoopsOfAGivenSchedule) {
    const Result<std::string> page = explain_page(report_of_trace());
    ASSERT_TRUE(page.ok()) << page.error().message;
    EXPECT_EQ(faults_of_page(*page), "");
    for (std::string_view part :
         {"No time is predicted", "480 blocks: x 24 × y 20", "Other choices were not priced",
          "the schedule was given (trace)", "_kernel_blur"}) {
        EXPECT_TRUE(has_part(*page, part)) << part;
    }
    EXPECT_FALSE(has_part(*page, "Limited by"));
}

TEST(ExplainPage, NamesWhatIsMissing) {
    const auto message = [](const std::string &text) { return explain_page(text).error().message; };
    EXPECT_TRUE(has_part(message("{}"), "expected a report"));
    const std::string older = sample::with(sample::kReport, "spills_estimated", "spilled");
    EXPECT_TRUE(has_part(message(older), "spills_estimated"));
    const std::string wrong =
        sample::with(sample::kReport, "\"blocks\": 480", "\"blocks\": \"many\"");
    EXPECT_TRUE(has_part(message(wrong), "another type"));
}

TEST(ExplainPage, EscapesNames) {
    std::string text = sample::kReport;
    for (size_t at = text.find("blur_x"); at != std::string::npos;
         at = text.find("blur_x", at + 1)) {
        text.replace(at, 6, "<b>&x'");
    }
    const Result<std::string> page = explain_page(text);
    ASSERT_TRUE(page.ok()) << page.error().message;
    EXPECT_EQ(faults_of_page(*page), "");
}

TEST(KernelGraph, HasInputsAndTheArraysBetweenKernels) {
    const Graph graph = kernel_graph(read_explained(sample::kReport).value());
    ASSERT_EQ(graph.boxes.size(), 3u);
    EXPECT_EQ(graph.boxes[0].title, "1. blur");
    EXPECT_EQ(graph.boxes[2].title, "in");
    ASSERT_EQ(graph.arrows.size(), 2u);
    EXPECT_EQ(graph.arrows[0].title, "in, 4.00 MB");
    EXPECT_EQ(graph.arrows[1].title, "blur, 8.00 MB");
    EXPECT_EQ(graph.arrows[1].from, 0u);
    EXPECT_EQ(graph.arrows[1].to, 1u);
    EXPECT_DOUBLE_EQ(graph.arrows[0].share, 0.5);
}

TEST(KernelGraph, FollowsWhatFuncsReadWhereNothingIsPredicted) {
    const Graph known = kernel_graph(read_explained(sample::kReport).value());
    const Graph graph = kernel_graph(read_explained(report_of_trace()).value());
    ASSERT_EQ(graph.arrows.size(), known.arrows.size());
    for (size_t i = 0; i < graph.arrows.size(); ++i) {
        EXPECT_EQ(graph.boxes[graph.arrows[i].from].title, known.boxes[known.arrows[i].from].title);
        EXPECT_EQ(graph.boxes[graph.arrows[i].to].title, known.boxes[known.arrows[i].to].title);
    }
}

TEST(Limits, SayWhatWouldRelieveEachResource) {
    Explained schedule = read_explained(sample::kReport).value();
    ExplainedKernel kernel = schedule.kernels[0];
    EXPECT_TRUE(has_part(relief_text(schedule, kernel), "blur (8.00 MB) passes through DRAM"));
    kernel.buffers.erase(kernel.buffers.begin() + 1);
    EXPECT_TRUE(has_part(relief_text(schedule, kernel), "inputs and outputs alone"));
    kernel.bound_by = "latency";
    EXPECT_TRUE(has_part(relief_text(schedule, kernel), "fewer registers per thread"));
    kernel.occupancy->limit = "shared memory";
    EXPECT_TRUE(has_part(relief_text(schedule, kernel), "less shared memory per block"));
    for (const ExplainedTerm &term : kernel.terms) {
        kernel.bound_by = term.resource;
        EXPECT_NE(limiter_text(kernel), "") << term.resource;
        EXPECT_NE(relief_text(schedule, kernel), "") << term.resource;
        EXPECT_NE(resource_text(term.resource), "") << term.resource;
    }
}

TEST(Words, GiveThreeDigits) {
    EXPECT_EQ(bytes_text(0), "0 B");
    EXPECT_EQ(bytes_text(999), "999 B");
    EXPECT_EQ(bytes_text(999.6), "1.00 kB");
    EXPECT_EQ(bytes_text(31588480), "31.6 MB");
    EXPECT_EQ(time_text(0.514), "0.51 us");
    EXPECT_EQ(time_text(509.3), "509 us");
    EXPECT_EQ(time_text(1830), "1.83 ms");
    EXPECT_EQ(difference_text(-0.4), "-0.40 us");
    EXPECT_EQ(count_text(1234567), "1,234,567");
    EXPECT_EQ(count_text(-1234), "-1,234");
    EXPECT_EQ(share_text(0.0001), "<1 %");
    EXPECT_EQ(share_text(0.36), "36 %");
}

}  // namespace
}  // namespace autoschedule_gpu
