// Files of records put together and made smaller; texts of times and records.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/json/json.h"
#include "core/support/utc_time.h"
#include "example_records.h"
#include "lab/records/record_json.h"

namespace autoschedule_gpu {
namespace {

class UpkeepOfRecords : public ::testing::Test {
protected:
    void add(const TuningRecord &record) { ASSERT_TRUE(store_.add(record).value()); }
    std::vector<uint64_t> codes() {
        const std::vector<TuningRecord> records = *store_.list();
        std::vector<uint64_t> codes;
        for (const TuningRecord &record : records) codes.push_back(record.code_hash);
        return codes;
    }
    std::vector<uint64_t> pruned(const PruneRule &rule) {
        std::vector<uint64_t> pruned;
        EXPECT_TRUE(store_.visit_prunable(rule, [&](const TuningRecord &record) {
            pruned.push_back(record.code_hash);
            return Status(Ok{});
        }));
        const size_t before = codes().size();
        EXPECT_TRUE(store_.prune(rule));
        EXPECT_EQ(codes().size(), before - pruned.size());
        return pruned;
    }
    using Codes = std::vector<uint64_t>;

    Scratch scratch_;
    RecordStore store_ = open_store(scratch_.path("tuning.records"));
};

TEST_F(UpkeepOfRecords, MergesWhatIsNew) {
    const std::string path = scratch_.path("other.records");
    const Failure lost{.kind = FailureKind::lost, .reason = "its worker ended"};
    {
        RecordStore other = open_store(path);
        for (const TuningRecord &record :
             {example_record(1, 9), failed_record(2), example_record(3), example_record(4),
              failed_record(5, FailureKind::timeout)}) {
            ASSERT_TRUE(other.add(record).value());
        }
        ASSERT_TRUE(other.note_draw(example_draw("seed=1", uint64_t{1})));
        ASSERT_TRUE(other.note_draw(example_draw("seed=2", uint64_t{2})));
    }
    for (const TuningRecord &record : {example_record(1, 1), example_record(2),
                                       failed_record(4, FailureKind::lost), failed_record(5)}) {
        add(record);
    }
    ASSERT_TRUE(store_.note_draw(example_draw("seed=1", uint64_t{1})));
    const MergeCounts counts = *store_.merge_from(path);
    EXPECT_EQ(counts.added, 2);        // 3, and 4 in place of a worker's end
    EXPECT_EQ(counts.known, 1);        // 1, with another time
    EXPECT_EQ(counts.conflicting, 2);  // 2 and 5
    EXPECT_EQ(counts.draws_added, 1);
    EXPECT_EQ(store_.find(key_of(example_record(1))).value(), example_record(1, 1));
    EXPECT_EQ(store_.find(key_of(example_record(2))).value(), example_record(2));
    EXPECT_EQ(store_.find(key_of(example_record(4))).value(), example_record(4));
    const MergeCounts again = *store_.merge_from(path);
    EXPECT_EQ(again.added + again.draws_added, 0);
    EXPECT_EQ(again.known, 3);
    EXPECT_EQ(*store_.verify(), std::vector<std::string>());
}

// Who wins depends on the finals of both files.
TEST_F(UpkeepOfRecords, MergesComparisonsOfWhatIsKnown) {
    const std::string path = scratch_.path("other.records");
    TuningRecord here = example_record(1), there = example_record(1, 9);
    here.compared_ms = {{"final 1", {3, 4}}};
    there.compared_ms = {{"final 1", {5, 6}}, {"final 2", {7}}};
    ASSERT_TRUE(open_store(path).add(there));
    add(here);
    ASSERT_TRUE(store_.merge_from(path));
    here.compared_ms["final 2"] = {7};
    EXPECT_EQ(store_.find(key_of(here)).value(), here);
    EXPECT_EQ(*store_.verify(), std::vector<std::string>());
}

TEST_F(UpkeepOfRecords, MergesAllOrNothing) {
    const std::string path = scratch_.path("other.records");
    {
        RecordStore other = open_store(path);
        ASSERT_TRUE(other.add(example_record(1)));
        ASSERT_TRUE(other.add(example_record(2)));
        ASSERT_TRUE(other.database().script("UPDATE records SET trace = '{' WHERE code_hash = 2"));
    }
    const auto merged = store_.merge_from(path);
    ASSERT_FALSE(merged);
    EXPECT_EQ(merged.error().message.find(path + ": record 2 is damaged"), 0U);
    EXPECT_TRUE(codes().empty());
    EXPECT_FALSE(store_.merge_from(scratch_.path("none")));
    EXPECT_FALSE(store_.merge_from(store_.path()));
}

TEST_F(UpkeepOfRecords, KeepsTheCodeOfTheDefaultWhoeverFoundItFirst) {
    add(example_record(2, 5));
    add(example_record(3, 3));
    add(example_record(4, 4));
    KnownDraw by_default = example_draw(kFoundByDefault, uint64_t{2});
    by_default.key.pipeline_hash = example_record(2).pipeline.hash;
    ASSERT_TRUE(store_.note_draw(by_default));
    EXPECT_EQ(pruned({.keep_fastest = 1}), Codes{4});
}

TEST_F(UpkeepOfRecords, MakesTheFileSmaller) {
    add(example_record(1, 1));
    for (int code = 2; code < 20; ++code) {
        TuningRecord large = example_record(static_cast<uint64_t>(code), code);
        large.trace = "\"" + std::string(100000, 'x') + "\"";
        add(large);
    }
    // Whoever opens the file last brings into it what is still beside it.
    const auto size = [&] {
        const std::string path = store_.path();
        store_ = open_store(scratch_.path("other.records"));
        const auto bytes = std::filesystem::file_size(path);
        store_ = open_store(path);
        return bytes;
    };
    const auto before = size();
    EXPECT_EQ(pruned({.keep_fastest = 1}).size(), 18u);
    EXPECT_LT(size(), before / 4);
}

TEST_F(UpkeepOfRecords, KeepsTheFastestTheDefaultAndTheBest) {
    TuningRecord by_default = example_record(1, 8);
    by_default.found_by = kFoundByDefault;
    TuningRecord other_pipeline = example_record(6, 9);
    other_pipeline.pipeline.hash = 2;
    add(by_default);
    add(example_record(2, 5));
    add(example_record(3, 3));
    add(example_record(4, 4));
    add(failed_record(5));
    add(other_pipeline);
    ASSERT_TRUE(store_.note_draw(
        example_draw("seed=1", Failure{.kind = FailureKind::crash, .reason = "it did"})));
    const KnownDraw began =
        example_draw(std::string(kStartOfRun) + "1",
                     Failure{.kind = FailureKind::search, .reason = "no other run"});
    ASSERT_TRUE(store_.note_draw(began));
    EXPECT_EQ(pruned({}), Codes());
    EXPECT_EQ(pruned({.keep_fastest = 2}), Codes({2}));
    EXPECT_TRUE(store_.find_draw(example_draw("seed=1", uint64_t{1}).key)->has_value());
    EXPECT_EQ(pruned({.failed = FailedRecords::drop}), Codes({5}));
    EXPECT_FALSE(store_.find_draw(example_draw("seed=1", uint64_t{1}).key)->has_value());
    EXPECT_TRUE(store_.find_draw(began.key)->has_value()) << "a run that goes on needs it";
    // In the finals, 4 was the fastest of all.
    const std::vector<double> slow(9, 8.0), fast(9, 2.0);
    ASSERT_TRUE(store_.add_samples(key_of(by_default), "final 1", slow));
    ASSERT_TRUE(store_.add_samples(key_of(example_record(4)), "final 1", fast));
    EXPECT_EQ(pruned({.keep_fastest = 0, .recorded_before = "2027-01-01T00:00:00Z"}), Codes({3}));
    EXPECT_EQ(codes(), Codes({1, 4, 6}));
}

TEST_F(UpkeepOfRecords, DropsWhatIsOld) {
    add(example_record(1, 1));
    add(example_record(2, 2));
    TuningRecord old = example_record(3, 3), old_failure = failed_record(4);
    old.recorded_at = old_failure.recorded_at = "2026-01-01T00:00:00Z";
    add(old);
    add(old_failure);
    EXPECT_EQ(pruned({.recorded_before = "2026-11-22T09:30:00Z"}), Codes({3, 4}));
}

TEST(UtcText, HasAFormThatSorts) {
    EXPECT_EQ(utc_text(0), "1970-01-01T00:00:00Z");
    EXPECT_EQ(utc_text(1795426200.9), "2026-11-23T09:30:00Z");
    EXPECT_TRUE(is_utc_text(utc_text(unix_seconds_now())));
    for (const char *text : {"", "2026-11-22", "2026-11-22 09:30:00Z", "2026-11-22T09:30:00+",
                             "2026-11-22T09:30:00ZZ", "x026-11-22T09:30:00Z"}) {
        EXPECT_FALSE(is_utc_text(text)) << text;
    }
}

TEST(JsonOfARecord, HasEveryFieldUnderItsName) {
    const auto measured = Json::parse(to_json(example_record(0xab, 2)));
    EXPECT_EQ(measured["code_hash"], "00000000000000ab");
    EXPECT_EQ(measured["trace"]["directives"], Json::array());
    EXPECT_EQ(measured["median_ms"], 2);
    EXPECT_EQ(measured["samples_ms"], (std::vector<double>{2, 4, 1}));
    EXPECT_FALSE(measured.contains("failure"));
    TuningRecord failed = failed_record(1);
    failed.trace = "";
    failed.failure->output = "\xff";
    const auto json = Json::parse(to_json(failed));
    EXPECT_TRUE(json["trace"].is_null());
    EXPECT_EQ(json["failure"]["kind"], "crash");
    EXPECT_EQ(json["failure"]["output"], "\xef\xbf\xbd");
    EXPECT_FALSE(json.contains("median_ms"));
}

}  // namespace
}  // namespace autoschedule_gpu
