#include <gtest/gtest.h>

#include "compare/ablation/ablation_file.h"
#include "core/json/json.h"
#include "core/process/temporary_folder.h"
#include "core/support/file.h"
#include "unit/compare/ablation/sample_rows.h"

namespace autoschedule_gpu {
namespace {

// The error after `edit` has changed the JSON of a good row.
std::string error_after(const char *pointer, const char *value) {
    Json rows = Json::parse(AblationFile::to_json({ablation_sample::row("blur", "memo")}));
    rows[0][Json::json_pointer(pointer)] = Json::parse(value);
    const auto parsed = AblationFile::parse(rows.dump());
    return parsed ? "accepted" : parsed.error().message;
}

TEST(AblationRowsFile, GivesTheSameRowsBack) {
    const std::vector<AblationRow> rows = {ablation_sample::row("blur", "memo"),
                                           ablation_sample::failed_row("blur", "none"),
                                           ablation_sample::row("scan", "memo")};
    const auto back = AblationFile::parse(AblationFile::to_json(rows));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, rows);
}

TEST(AblationRowsFile, ReadsWhatItWroteToAFile) {
    const Result<TemporaryFolder> folder = TemporaryFolder::create("ablation_test_");
    ASSERT_TRUE(folder);
    const std::string path = folder->path() / "ablation.json";
    const std::vector<AblationRow> rows = {ablation_sample::row("blur", "memo")};
    ASSERT_TRUE(AblationFile::write(path, rows));
    EXPECT_EQ(AblationFile::read(path).value(), rows);
    ASSERT_TRUE(write_file(path, "{}"));
    EXPECT_EQ(AblationFile::read(path).error().message,
              path + ": expected a JSON array of rows, found {}");
}

TEST(AblationRowsFile, NamesFieldExpectedAndFound) {
    EXPECT_EQ(error_after("/search/states_scored", "-1"),
              "row 1, field \"search\", field \"states_scored\": expected a whole number that is "
              "not negative, found -1");
    EXPECT_EQ(error_after("/search/predicted_us", "\"fast\""),
              "row 1, field \"search\", field \"predicted_us\": expected a number that is not "
              "negative, found \"fast\"");
    EXPECT_EQ(error_after("/search_s", "2"), "row 1, field \"search_s\": expected a list, found 2");
    EXPECT_EQ(error_after("/more", "1"), "row 1, field \"more\": expected no such field, found 1");
}

TEST(AblationRowsFile, RefusesARowThatIsOkWithoutASearch) {
    EXPECT_EQ(error_after("/search", "null"),
              "row of blur, memo: expected \"search\" and \"search_s\" where the status is \"ok\", "
              "and only there");
    EXPECT_NE(error_after("/search_s", "[]"), "accepted");
}

TEST(AblationRowsFile, RefusesTheSameEntryTwice) {
    const AblationRow row = ablation_sample::row("blur", "memo");
    EXPECT_FALSE(AblationFile::parse(AblationFile::to_json({row, row})));
    AblationRow smaller = row;
    smaller.size = "reduced";
    EXPECT_TRUE(AblationFile::parse(AblationFile::to_json({row, smaller})));
}

TEST(AblationRowsFile, MergingKeepsWhatIsOfOtherEntries) {
    AblationRow again = ablation_sample::row("blur", "memo");
    again.search_s = {3};
    AblationRow smaller = ablation_sample::row("blur", "memo");
    smaller.size = "reduced";
    const AblationRow other = ablation_sample::row("scan", "memo");
    EXPECT_EQ(merged({again}, {ablation_sample::row("blur", "memo"), smaller, other}),
              (std::vector<AblationRow>{again, smaller, other}));
}

}  // namespace
}  // namespace autoschedule_gpu
