#include "collect/ledger.h"

#include <gtest/gtest.h>

#include "example_draws.h"
#include "unit/measure/scratch.h"

namespace autoschedule_gpu {
namespace {

class LedgerTest : public ::testing::Test {
protected:
    Ledger open() const { return Ledger::open(scratch_.path("out"), "opencl").value(); }
    Draw draw(int number) const { return draw_schedule(Sampler{}, 1, harris_, number); }

    Scratch scratch_;
    const Subject harris_ = example_subject("app:harris", "reduced");
    const Subject larger_ = example_subject("app:harris", "full");
};

TEST_F(LedgerTest, KnowsWhatEarlierCallsDid) {
    {
        Ledger ledger = open();
        ASSERT_TRUE(ledger.add(example_origin(), sample_of(harris_, draw(0), 1)));
        ASSERT_TRUE(ledger.add(example_origin(), sample_of(harris_, draw(1), 2)));
        ASSERT_TRUE(ledger.add(miss_of(harris_, draw(2))));
        ASSERT_TRUE(ledger.add(miss_of(harris_, draw(3), std::nullopt)));
        EXPECT_EQ(ledger.counts(harris_).misses(), 2);
    }
    Ledger ledger = open();
    EXPECT_EQ(ledger.counts(harris_).samples, 2);
    EXPECT_EQ(ledger.counts(harris_).failures, 1);
    EXPECT_EQ(ledger.counts(harris_).duplicates, 1);
    for (int number = 0; number < 4; ++number) {
        EXPECT_TRUE(ledger.was_tried(harris_, draw(number).schedule));
    }
    EXPECT_FALSE(ledger.was_tried(harris_, draw(4).schedule));
    EXPECT_FALSE(ledger.claim(harris_, 2));
    EXPECT_FALSE(ledger.claim(harris_, 0xabc));  // that crashed
}

TEST_F(LedgerTest, KeepsTheSizesOfAPipelineApart) {
    Ledger ledger = open();
    ASSERT_TRUE(ledger.add(example_origin(), sample_of(harris_, draw(0), 1)));
    EXPECT_EQ(ledger.counts(larger_).samples, 0);
    EXPECT_TRUE(ledger.claim(larger_, 1));
}

TEST_F(LedgerTest, GivesCodeToTheFirstWhoClaimsIt) {
    Ledger ledger = open();
    EXPECT_TRUE(ledger.claim(harris_, 7));
    EXPECT_FALSE(ledger.claim(harris_, 7));
    EXPECT_TRUE(ledger.claim(harris_, 8));
}

TEST_F(LedgerTest, RefusesSamplesOfAnotherDevice) {
    Ledger ledger = open();
    ASSERT_TRUE(ledger.add(example_origin(), sample_of(harris_, draw(0), 1)));
    SampleOrigin other = example_origin();
    other.device = "another";
    EXPECT_FALSE(ledger.add(other, sample_of(harris_, draw(1), 2)));
    EXPECT_EQ(ledger.counts(harris_).samples, 1);
}

TEST_F(LedgerTest, DoesNotOpenADamagedFolder) {
    scratch_.write("out/opencl.samples", "no samples at all");
    EXPECT_FALSE(Ledger::open(scratch_.path("out"), "opencl"));
    EXPECT_TRUE(Ledger::open(scratch_.path("out"), "cuda"));
    scratch_.write("out/failures.jsonl", "none\n");
    EXPECT_FALSE(Ledger::open(scratch_.path("out"), "cuda"));
    EXPECT_FALSE(Ledger::open(scratch_.path("out/failures.jsonl"), "cuda"));
}

}  // namespace
}  // namespace autoschedule_gpu
