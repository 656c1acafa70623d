#include <gtest/gtest.h>

#include "compare/rows/comparison_file.h"
#include "compare/rows/cross_file.h"
#include "compare/rows/loss_notes.h"
#include "core/json/json.h"
#include "core/process/temporary_folder.h"
#include "core/support/file.h"
#include "unit/compare/rows/sample_rows.h"

namespace autoschedule_gpu {
namespace {

std::string error_of(const std::string &text) {
    const Result<std::vector<ComparisonRow>> rows = ComparisonFile::parse(text);
    return rows ? "accepted" : rows.error().message;
}

// The error about two good rows of which the second has been changed.
template <typename Change>
std::string error_after(const Change &change) {
    Json rows = Json::parse(
        ComparisonFile::to_json({sample::row("blur", "manual"), sample::row("blur", "gpu")}));
    change(rows[1]);
    return error_of(rows.dump());
}

TEST(RowsFile, GivesTheSameRowsBack) {
    ComparisonRow odd = sample::bare_row("quote \" back \\ slash \n", "gpu:beam_size=1");
    odd.search_s = 0.1 + 0.2;
    odd.kernels = {RowKernel{.name = "nothing known"}, sample::kernel("all known")};
    odd.kernels[0].blocks = {std::nullopt, 7, std::nullopt};
    const std::vector<ComparisonRow> rows = {
        sample::row("blur", "gpu"), odd,
        sample::failed_row("blur", "li2018", FailureKind::wrong_output, "a: b: ü")};
    const Result<std::vector<ComparisonRow>> back =
        ComparisonFile::parse(ComparisonFile::to_json(rows));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, rows);
}

TEST(RowsFile, GivesNoRowsBackAsNoRows) {
    EXPECT_EQ(ComparisonFile::to_json({}), "[]\n");
    EXPECT_TRUE(ComparisonFile::parse("[]")->empty());
}

TEST(RowsFile, WritesTheFieldsThatOthersRelyOn) {
    const Json rows = Json::parse(ComparisonFile::to_json(
        {sample::row("blur", "gpu"),
         sample::failed_row("blur", "li2018", FailureKind::wrong_output, "off by one")}));
    EXPECT_EQ(rows[0]["status"], "ok");
    EXPECT_TRUE(rows[0]["reason"].is_null());
    EXPECT_EQ(rows[0]["search_s_interval"], Json::parse("[1.9, 2.1]"));
    EXPECT_EQ(rows[0]["kernels"][0]["blocks"], Json::parse("[48, 320, 1]"));
    EXPECT_EQ(rows[1]["status"], "failed");
    EXPECT_EQ(rows[1]["reason"], "wrong output: off by one");
    EXPECT_TRUE(rows[1]["run_ms"].is_null());
}

TEST(RowsFile, RefusesARowThatLacksAnyOfItsFields) {
    const Json row = Json::parse(ComparisonFile::to_json({sample::row("blur", "gpu")}))[0];
    for (const auto &[key, value] : row.items()) {
        const std::string name = key;
        const std::string error = error_after([&](Json &changed) { changed.erase(name); });
        EXPECT_NE(error.find("row 2"), std::string::npos) << error;
        EXPECT_NE(error.find("\"" + name + "\": expected a value, found no such field"),
                  std::string::npos)
            << error;
    }
}

TEST(RowsFile, RefusesAKernelThatLacksAnyOfItsFields) {
    const Json kernel =
        Json::parse(ComparisonFile::to_json({sample::row("blur", "gpu")}))[0]["kernels"][0];
    EXPECT_EQ(kernel.size(), 22u);
    for (const auto &[key, value] : kernel.items()) {
        const std::string name = key;
        EXPECT_EQ(error_after([&](Json &row) { row["kernels"][0].erase(name); }),
                  "row 2 (blur, gpu), field \"kernels\", item 1, field \"" + name +
                      "\": expected a value, found no such field");
    }
}

struct Refused {
    const char *pointer;  // RFC 6901
    const char *value;
    const char *error;
};

TEST(RowsFile, NamesRowFieldExpectedAndFound) {
    const std::vector<Refused> cases = {
        {"/app", "7", "row 2, field \"app\": expected a text, found 7"},
        {"/more", "1", "row 2 (blur, gpu), field \"more\": expected no such field, found 1"},
        {"/status", "\"good\"",
         "row 2 (blur, gpu), field \"status\": expected \"ok\" or \"failed\", found \"good\""},
        {"/status", "\"failed\"",
         "row 2 (blur, gpu), field \"reason\": expected \"KIND: sentence\" with a KIND of setup, "
         "search, Halide, compile, ptxas, resource, launch, wrong output, timeout, crash, lost, "
         "noise, "
         "found null"},
        {"/reason", "\"crash: it did\"",
         "row 2 (blur, gpu), field \"reason\": expected null, because the status is \"ok\", found "
         "\"crash: it did\""},
        {"/verified", "false",
         "row 2 (blur, gpu), field \"verified\": expected true or null, because the status is "
         "\"ok\", found false"},
        {"/verified", "\"yes\"",
         "row 2 (blur, gpu), field \"verified\": expected true or false, found \"yes\""},
        {"/search_s", "-1",
         "row 2 (blur, gpu), field \"search_s\": expected a number that is not negative, found -1"},
        {"/search_s", "null",
         "row 2 (blur, gpu), field \"search_s_interval\": expected null, because \"search_s\" is, "
         "found [1.9,2.1]"},
        {"/run_ms_interval", "[2, 1]",
         "row 2 (blur, gpu), field \"run_ms_interval\": expected [low, high] with low <= high, "
         "found [2,1]"},
        {"/run_ms_interval", "[1]",
         "row 2 (blur, gpu), field \"run_ms_interval\": expected [low, high], found [1]"},
        {"/run_samples", "1.5",
         "row 2 (blur, gpu), field \"run_samples\": expected a whole number that is not negative, "
         "found 1.5"},
        {"/run_samples", "18446744073709551615",
         "row 2 (blur, gpu), field \"run_samples\": expected a whole number that is not negative, "
         "found 18446744073709551615"},
        {"/kernels", "{}", "row 2 (blur, gpu), field \"kernels\": expected a list, found {}"},
        {"/kernels/0", "3",
         "row 2 (blur, gpu), field \"kernels\", item 1: expected an object, found 3"},
        {"/kernels/0/threads", "[1, 2]",
         "row 2 (blur, gpu), field \"kernels\", item 1, field \"threads\": expected a list of 3, "
         "found [1,2]"},
        {"/kernels/0/occupancy", "1.01",
         "row 2 (blur, gpu), field \"kernels\", item 1, field \"occupancy\": expected a number "
         "from 0 to 1, found 1.01"},
        {"/kernels/0/exact", "1",
         "row 2 (blur, gpu), field \"kernels\", item 1, field \"exact\": expected true or false, "
         "found 1"},
        {"/roofs/dram_gb_per_s", "0",
         "row 2 (blur, gpu), field \"roofs\", field \"dram_gb_per_s\": expected a number above 0, "
         "found 0"},
        {"/verified_sizes/1/ok", "null",
         "row 2 (blur, gpu), field \"verified_sizes\", item 2, field \"ok\": expected true or "
         "false, found null"},
        {"/scheduler", "\"manual\"",
         "row 2 (blur, manual): expected one row of its kind, found row 1 to be of the same"},
    };
    for (const Refused &refused : cases) {
        EXPECT_EQ(error_after([&](Json &row) {
                      row[Json::json_pointer(refused.pointer)] = Json::parse(refused.value);
                  }),
                  refused.error);
    }
}

TEST(RowsFile, RefusesWhatIsNoArrayOfObjects) {
    EXPECT_EQ(error_of("{}"), "expected a JSON array of rows, found {}");
    EXPECT_EQ(error_of("[1]"), "row 1: expected an object, found 1");
    EXPECT_EQ(error_of("[{\"app\": \"a\", \"app\": \"b\"}]"),
              "row 1, field \"app\": expected it once, found it twice");
    EXPECT_EQ(error_of("[{}, {\"kernels\": [{\"name\": 1, \"name\": 2}]}]"),
              "row 2, field \"name\": expected it once, found it twice");
    EXPECT_EQ(error_of(std::string(100000, '[')), "expected a list of rows, found deeper nesting");
    EXPECT_TRUE(error_of("[").starts_with("expected a JSON array of rows: "));
    EXPECT_TRUE(error_of("").starts_with("expected a JSON array of rows: "));
    EXPECT_TRUE(error_of("[1e999]").starts_with("expected a JSON array of rows: "));
}

TEST(RowsFile, RefusesEveryPartOfAFile) {
    const std::string whole = ComparisonFile::to_json({sample::row("blur", "gpu")});
    for (size_t length = 0; length + 2 < whole.size(); length++) {
        EXPECT_NE(error_of(whole.substr(0, length)), "accepted") << length;
    }
}

TEST(RowsFile, ReadsWhatItWroteToAFile) {
    const Result<TemporaryFolder> folder = TemporaryFolder::create("compare_test_");
    ASSERT_TRUE(folder);
    const std::string path = folder->path() / "results.json";
    const std::vector<ComparisonRow> rows = {sample::row("blur", "gpu")};
    ASSERT_TRUE(ComparisonFile::write(path, rows));
    EXPECT_EQ(*ComparisonFile::read(path), rows);
    EXPECT_EQ(ComparisonFile::read(path + "x").error().message, path + "x: cannot be read");
    ASSERT_TRUE(write_file(path, "7"));
    EXPECT_EQ(ComparisonFile::read(path).error().message,
              path + ": expected a JSON array of rows, found 7");
}

TEST(CrossRowsFile, GivesTheSameRowsBack) {
    CrossRow timed = sample::cross_row("full", "full");
    timed.run_at.extents = "1536x2560x3";
    timed.verified = true;
    timed.run_ms = 1.5;
    timed.run_ms_interval = RowInterval{1.4, 1.6};
    CrossRow failed = sample::cross_row("full", "tiny");
    failed.failure = RowFailure{FailureKind::halide, "smaller than a tile"};
    failed.verified = false;
    const std::vector<CrossRow> rows = {timed, failed};
    const Result<std::vector<CrossRow>> back = CrossFile::parse(CrossFile::to_json(rows));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, rows);
}

TEST(CrossRowsFile, RefusesASizeThatIsNoObjectAndARowThatComesTwice) {
    Json rows = Json::parse(CrossFile::to_json({sample::cross_row("full", "tiny")}));
    rows.push_back(rows[0]);
    EXPECT_EQ(CrossFile::parse(rows.dump()).error().message,
              "row 2 (blur, gpu): expected one row of its kind, found row 1 to be of the same");
    rows[1]["run_at"] = "tiny";
    EXPECT_EQ(CrossFile::parse(rows.dump()).error().message,
              "row 2 (blur, gpu), field \"run_at\": expected an object, found \"tiny\"");
}

TEST(LossNotes, AreReadAndFoundByApplicationAndMetric) {
    const Result<std::vector<LossNote>> notes = LossNotesFile::parse(
        R"([{"app": "", "metric": "search_s", "text": "root does not search"},
            {"app": "blur", "metric": "failure", "text": "no gather"}])");
    ASSERT_TRUE(notes) << notes.error().message;
    EXPECT_EQ(note_on(*notes, "", "search_s"), "root does not search");
    EXPECT_EQ(note_on(*notes, "blur", "search_s"), "");
    EXPECT_EQ(note_on(*notes, "blur", kFailureNote), "no gather");
}

TEST(LossNotes, RefuseAMetricThatIsNone) {
    const Result<std::vector<LossNote>> notes =
        LossNotesFile::parse(R"([{"app": "", "metric": "speed", "text": ""}])");
    ASSERT_FALSE(notes);
    EXPECT_TRUE(notes.error().message.starts_with(
        "row 1, field \"metric\": expected one of failure, search_s, "));
    EXPECT_TRUE(notes.error().message.ends_with("found \"speed\""));
}

}  // namespace
}  // namespace autoschedule_gpu
