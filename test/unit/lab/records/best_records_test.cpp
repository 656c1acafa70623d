// Who wins among the records of a file.
#include "lab/records/best_records.h"

#include <gtest/gtest.h>

#include "example_records.h"

namespace autoschedule_gpu {
namespace {

std::vector<double> times(double ms) {
    std::vector<double> times;
    for (int i = 0; i < 9; ++i) times.push_back(ms * (1 + i / 1000.0));
    return times;
}

class BestRecords : public ::testing::Test {
protected:
    void add(TuningRecord record) { ASSERT_TRUE(store_.add(record).value()); }
    void add_default(uint64_t code, double ms) {
        TuningRecord record = example_record(code, ms);
        record.found_by = kFoundByDefault;
        add(record);
    }
    void compare(uint64_t code, const std::string &label, double ms) {
        ASSERT_TRUE(store_.add_samples(key_of(example_record(code)), label, times(ms)));
    }
    Champion champion(const RecordFilter &filter = {}) {
        const std::vector<Champion> champions = *find_champions(store_, filter);
        EXPECT_EQ(champions.size(), 1U);
        return champions.front();
    }
    std::vector<uint64_t> ranked() {
        std::vector<uint64_t> codes;
        const std::vector<TuningRecord> records = *ranked_records(store_, {});
        for (const TuningRecord &record : records) codes.push_back(record.code_hash);
        return codes;
    }
    using Codes = std::vector<uint64_t>;

    Scratch scratch_;
    RecordStore store_ = open_store(scratch_.path("tuning.records"));
};

TEST_F(BestRecords, HaveAChampionPerPipelineAndEnvironment) {
    EXPECT_TRUE(find_champions(store_)->empty());
    TuningRecord other_gpu = example_record(2, 1), other_driver = example_record(6, 0.5),
                 other_pipeline = example_record(7, 0.01);
    other_gpu.environment.gpu = "A100";
    other_driver.environment.driver = "580";
    other_pipeline.pipeline.hash = 2;
    for (const TuningRecord &record : {example_record(2, 2), example_record(3, 2), failed_record(4),
                                       other_gpu, other_driver, other_pipeline}) {
        add(record);
    }
    const std::vector<Champion> champions = *find_champions(store_);
    ASSERT_EQ(champions.size(), 4U);
    EXPECT_EQ(champions[0].record, other_pipeline);
    EXPECT_EQ(champions[1].record, other_gpu);
    EXPECT_EQ(champions[2].record, example_record(2, 2)) << "of two, the first";
    EXPECT_EQ(champions[2].median_ms, 2);
    EXPECT_EQ(champions[2].times_as_fast, std::nullopt);
    EXPECT_EQ(champions[3].record, other_driver);
    EXPECT_EQ(champion({.gpu = "A100"}).record, other_gpu);
    EXPECT_EQ(ranked(), Codes({7, 6, 2, 2, 3}));
}

TEST_F(BestRecords, AreThoseOfTheFinals) {
    add_default(1, 8);
    add(example_record(2, 1));  // fast by luck, and in no finals
    add(example_record(3, 5));
    add(example_record(4, 4));
    compare(1, "final 00ff", 8);
    compare(3, "final 00ff", 2);
    compare(4, "final 00ff", 4);
    compare(4, "step 00ff", 0.1);  // beside others than the default schedule
    EXPECT_EQ(champion().record.code_hash, 3U);
    EXPECT_NEAR(champion().median_ms, 2, 0.1);
    EXPECT_NEAR(*champion().default_ms, 8, 0.1);
    EXPECT_NEAR(*champion().times_as_fast, 4, 0.1);
    EXPECT_LT(champion().chance_of_luck, 0.01);
    EXPECT_EQ(ranked(), Codes({3, 2, 4, 1})) << "the others by all of their times";
    const Failure wrong{.kind = FailureKind::wrong_output, .reason = "it differs"};
    ASSERT_TRUE(store_.set_failed(key_of(example_record(3)), wrong));
    EXPECT_EQ(champion().record.code_hash, 4U);
}

TEST_F(BestRecords, AreTheReferenceWhereNothingIsFasterByMoreThanLuck) {
    add(example_record(2, 1));
    add_default(1, 1);
    compare(1, "final 00ff", 1);
    compare(2, "final 00ff", 0.9999);
    EXPECT_EQ(champion().record.code_hash, 1U);
    EXPECT_EQ(champion().times_as_fast, 1);
    EXPECT_EQ(champion().chance_of_luck, 1);
    EXPECT_EQ(ranked(), Codes({1, 2}));
}

// By an earlier version of the plugin another schedule was the default one.
TEST_F(BestRecords, KnowTheReferenceByItsDraw) {
    KnownDraw draw = example_draw(kFoundByDefault, uint64_t{2});
    draw.key.pipeline_hash = example_record(2).pipeline.hash;
    add(example_record(2, 1));
    add(example_record(3, 1));
    compare(2, "final 00ff", 1);
    compare(3, "final 00ff", 0.9999);
    EXPECT_EQ(champion().record.code_hash, 3U);
    ASSERT_TRUE(store_.note_draw(draw));
    EXPECT_EQ(champion().record.code_hash, 2U);
}

TEST_F(BestRecords, HaveATraceWhereOneHas) {
    TuningRecord bare = example_record(2, 1);
    bare.trace = "";
    add(bare);
    EXPECT_EQ(champion().record, bare);
    EXPECT_EQ(ranked(), Codes());
    add(example_record(3, 2));
    EXPECT_EQ(champion().record.code_hash, 3U);
}

TEST_F(BestRecords, MayLeaveOutARun) {
    TuningRecord own = example_record(2, 1);
    own.session = "own";
    add(own);
    add(example_record(3, 2));
    EXPECT_EQ(champion().record.code_hash, 2U);
    EXPECT_EQ(champion({.not_of_session = "own"}).record.code_hash, 3U);
}

}  // namespace
}  // namespace autoschedule_gpu
