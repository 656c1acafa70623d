#include "compare/explain/schedule_difference.h"

#include <gtest/gtest.h>

#include "unit/compare/explain/sample_report.h"

namespace autoschedule_gpu {
namespace {

bool says(const std::string &text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

// The same with blur_x in the threads of blur, and 256 of these.
std::string other_report() {
    std::string text = sample::kReport;
    const size_t begin = text.find("{\"stage\": \"blur_x\", \"level\": \"threads\"");
    const size_t end = text.find("{\"stage\": \"blur\", \"level\": \"threads\"");
    text.erase(begin, end - begin);
    text = sample::with(text, "\"body\": [{\"stage\": \"blur\", \"level\": \"serial\"",
                        "\"body\": [{\"stage\": \"blur_x\", \"level\": \"serial\", \"memory\": "
                        "\"registers\", \"in_loop_of\": null, \"loops\": [], \"body\": []}, "
                        "{\"stage\": \"blur\", \"level\": \"serial\"");
    text = sample::with(text, "\"predicted_us\": 20.0", "\"predicted_us\": 24.0");
    return sample::with(text, "\"predicted_us\": 30.0", "\"predicted_us\": 34.0");
}

TEST(ScheduleDifference, IsSaidInWords) {
    const Result<std::string> text =
        difference_as_text({"a.json", sample::kReport}, {"b.json", other_report()});
    ASSERT_TRUE(text.ok()) << text.error().message;
    for (std::string_view part :
         {"A: a.json", "B: b.json",
          "A takes 30.0 us in 2 kernels, B 34.0 us in 2 kernels (+4.00 us).",
          "blur_x: A computes it in the block that reads it, in shared memory; B in the threads "
          "that read it, in registers.",
          "Kernel blur: its loops differ."}) {
        EXPECT_TRUE(says(*text, part)) << part << "\n" << *text;
    }
    EXPECT_FALSE(says(*text, "Kernel out"));
    EXPECT_FALSE(says(*text, "edge:"));
}

TEST(ScheduleDifference, OfEqualSchedulesThereIsNone) {
    const std::string text =
        difference_as_text({"a", sample::kReport}, {"b", sample::kReport}).value();
    EXPECT_TRUE(says(text, "All Funcs are computed in the same loops.")) << text;
    EXPECT_FALSE(says(text, "differ"));
    const std::string page =
        difference_as_page({"a", sample::kReport}, {"b", sample::kReport}).value();
    EXPECT_FALSE(says(page, "Loops that differ"));
}

TEST(ScheduleDifference, ShowsTheLoopsThatDifferBesideEachOther) {
    const std::string page =
        difference_as_page({"a", sample::kReport}, {"b", other_report()}).value();
    const size_t loops = page.find("Loops that differ</h2>");
    ASSERT_NE(loops, std::string::npos);
    EXPECT_TRUE(says(page.substr(loops), "memory-registers"));
    EXPECT_FALSE(says(page.substr(loops), "<h3>out</h3>"));
}

TEST(ScheduleDifference, NamesTheFileThatIsNoReport) {
    const Result<std::string> text = difference_as_text({"a", sample::kReport}, {"b", "{}"});
    ASSERT_FALSE(text.ok());
    EXPECT_TRUE(says(text.error().message, "b: expected a report")) << text.error().message;
}

TEST(ScheduleDifference, SaysThatPipelinesDiffer) {
    const std::string other = sample::with(sample::kReport, "00c0ffee00c0ffee", "00c0ffee00c0ffed");
    const std::string text = difference_as_text({"a", sample::kReport}, {"b", other}).value();
    EXPECT_TRUE(says(text, "different pipelines")) << text;
}

}  // namespace
}  // namespace autoschedule_gpu
