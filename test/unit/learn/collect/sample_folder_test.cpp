#include "learn/collect/sample_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/support/file.h"
#include "example_draws.h"
#include "lab/samples/file_header.h"
#include "lab/samples/origin.h"
#include "lab/samples/record.h"
#include "lab/samples/sample_file.h"
#include "unit/scratch.h"

namespace autoschedule_gpu {
namespace {

class LedgerTest : public ::testing::Test {
protected:
    SampleFolder open() const { return SampleFolder::open(scratch_.path("out"), "opencl").value(); }
    ScheduleRequest draw(int number) const { return draw_schedule(Sampler{}, 1, harris_, number); }

    Scratch scratch_;
    const Workload harris_ = example_workload("app:harris", "reduced");
    const Workload larger_ = example_workload("app:harris", "full");
};

TEST_F(LedgerTest, KnowsWhatEarlierCallsDid) {
    {
        SampleFolder folder = open();
        ASSERT_TRUE(folder.add(example_origin(), sample_of(harris_, draw(0), 1)));
        ASSERT_TRUE(folder.add(example_origin(), sample_of(harris_, draw(1), 2)));
        ASSERT_TRUE(folder.add(failed_draw(harris_, draw(2))));
        ASSERT_TRUE(folder.add(failed_draw(harris_, draw(3), std::nullopt)));
        EXPECT_EQ(folder.counts(harris_).failed(), 2);
    }
    SampleFolder folder = open();
    EXPECT_EQ(folder.counts(harris_).samples, 2);
    EXPECT_EQ(folder.counts(harris_).failures, 1);
    EXPECT_EQ(folder.counts(harris_).duplicates, 1);
    for (int number = 0; number < 4; ++number) {
        EXPECT_TRUE(folder.was_tried(harris_, draw(number).schedule));
    }
    EXPECT_FALSE(folder.was_tried(harris_, draw(4).schedule));
    EXPECT_FALSE(folder.reserve(harris_, 2));
    EXPECT_FALSE(folder.reserve(harris_, 0xabc));  // that crashed
}

TEST_F(LedgerTest, GoesOnWhereAWriterWasKilledInTheFirstRecord) {
    const std::string samples = scratch_.path("out") + "/opencl.samples";
    ASSERT_TRUE(open().add(example_origin(), sample_of(harris_, draw(0), 1)));
    const std::string header = file_header(kSampleFormat);
    const size_t begun = header.size() + record_bytes(0, to_json(example_origin())).value().size();
    const std::string whole = read_file(samples).value();
    for (const size_t size : {size_t{0}, size_t{1}, header.size(), header.size() + 1, begun - 1}) {
        ASSERT_TRUE(write_file(samples, whole.substr(0, size)));
        EXPECT_FALSE(has_begun(samples).value()) << size;
        SampleFolder folder = open();
        EXPECT_EQ(folder.counts(harris_).samples, 0) << size;
        ASSERT_TRUE(folder.add(example_origin(), sample_of(harris_, draw(0), 1))) << size;
        EXPECT_EQ(read_file(samples).value(), whole) << size;
    }
    ASSERT_TRUE(write_file(samples, whole.substr(0, begun)));
    EXPECT_TRUE(has_begun(samples).value());
}

// Before anything is measured for it.
TEST_F(LedgerTest, RefusesSamplesOfAnEarlierFeatureListAtOnce) {
    const std::string folder = scratch_.path("out"), samples = folder + "/opencl.samples";
    std::filesystem::create_directories(folder);
    ASSERT_TRUE(write_file(samples, earlier_header(kSampleFormat, api::kEarlierFeatureCounts[0]) +
                                        record_bytes(0, to_json(example_origin())).value()));
    ASSERT_TRUE(read_samples(samples));
    const std::string error = error_of(SampleFolder::open(folder, "opencl"));
    EXPECT_TRUE(error.starts_with(samples + ": expected samples of the earlier feature list "))
        << error;
}

TEST_F(LedgerTest, CountsNoiseApart) {
    SampleFolder folder = open();
    ASSERT_TRUE(folder.add(failed_draw(harris_, draw(0), FailureKind::noise)));
    EXPECT_EQ(folder.counts(harris_).noisy, 1);
    EXPECT_EQ(folder.counts(harris_).failures, 0);
    EXPECT_TRUE(folder.was_tried(harris_, draw(0).schedule));
}

// Until then the machine may be too busy for any.
TEST_F(LedgerTest, TakesNoiseForAFailureOnceAnythingCouldBeTimed) {
    SampleFolder folder = open();
    ASSERT_TRUE(folder.add(failed_draw(harris_, draw(0), FailureKind::noise)));
    EXPECT_EQ(folder.counts(harris_).failed(), 0);
    const ScheduleRequest other = draw_schedule(Sampler{}, 1, larger_, 0);
    ASSERT_TRUE(folder.add(example_origin(), sample_of(larger_, other, 1)));
    EXPECT_EQ(folder.counts(harris_).failed(), 1);
    ASSERT_TRUE(folder.add(failed_draw(harris_, draw(2), FailureKind::noise)));
    EXPECT_EQ(folder.counts(harris_).failed(), 1);
    EXPECT_EQ(folder.counts(harris_).noisy, 2);
}

TEST_F(LedgerTest, LetsAnotherCallTryAgainWhatSaysNothingAboutTheSchedule) {
    for (const FailureKind kind : {FailureKind::noise, FailureKind::lost}) {
        {
            SampleFolder folder = open();
            ASSERT_TRUE(folder.add(failed_draw(harris_, draw(0), kind)));
            EXPECT_TRUE(folder.was_tried(harris_, draw(0).schedule)) << to_string(kind);
        }
        SampleFolder folder = open();
        EXPECT_FALSE(folder.was_tried(harris_, draw(0).schedule)) << to_string(kind);
        EXPECT_EQ(folder.counts(harris_).failed(), 0) << to_string(kind);
        EXPECT_EQ(folder.counts(harris_).noisy, 0) << to_string(kind);
        EXPECT_TRUE(folder.reserve(harris_, 0xabc)) << to_string(kind);
    }
}

// Otherwise a pipeline would be given up for code that was never timed.
TEST_F(LedgerTest, LetsAnotherCallTryAgainWhatIsLikeThat) {
    {
        SampleFolder folder = open();
        ASSERT_TRUE(folder.add(failed_draw(harris_, draw(0), FailureKind::noise)));
        ASSERT_TRUE(folder.add(failed_draw(harris_, draw(1), std::nullopt)));
        EXPECT_TRUE(folder.was_tried(harris_, draw(1).schedule));
    }
    {
        SampleFolder folder = open();
        EXPECT_FALSE(folder.was_tried(harris_, draw(1).schedule));
        EXPECT_EQ(folder.counts(harris_).duplicates, 0);
        ASSERT_TRUE(folder.add(example_origin(), sample_of(harris_, draw(0), 0xabc)));
    }
    EXPECT_TRUE(open().was_tried(harris_, draw(1).schedule));
    EXPECT_EQ(open().counts(harris_).duplicates, 1);
}

TEST_F(LedgerTest, KeepsTheSizesOfAPipelineApart) {
    SampleFolder folder = open();
    ASSERT_TRUE(folder.add(example_origin(), sample_of(harris_, draw(0), 1)));
    EXPECT_EQ(folder.counts(larger_).samples, 0);
    EXPECT_TRUE(folder.reserve(larger_, 1));
}

TEST_F(LedgerTest, GivesCodeToTheFirstWhoClaimsIt) {
    SampleFolder folder = open();
    EXPECT_TRUE(folder.reserve(harris_, 7));
    EXPECT_FALSE(folder.reserve(harris_, 7));
    EXPECT_TRUE(folder.reserve(harris_, 8));
}

TEST_F(LedgerTest, TellsCodeThatWasTriedFromCodeThatIsReservedOrOfADuplicateAlone) {
    SampleFolder folder = open();
    EXPECT_TRUE(folder.reserve(harris_, 7));
    EXPECT_FALSE(folder.was_code_tried(harris_, 7));
    FailedDraw duplicate = failed_draw(harris_, draw(0), std::nullopt);
    duplicate.code_hash = 7;
    ASSERT_TRUE(folder.add(duplicate));
    EXPECT_FALSE(folder.was_code_tried(harris_, 7));
    ASSERT_TRUE(folder.add(example_origin(), sample_of(harris_, draw(1), 7)));
    EXPECT_TRUE(folder.was_code_tried(harris_, 7));
}

TEST_F(LedgerTest, TriesOnADeviceWhatFailedOnAnother) {
    ASSERT_TRUE(open().add(failed_draw(harris_, draw(0))));
    const SampleFolder cuda = SampleFolder::open(scratch_.path("out"), "cuda").value();
    EXPECT_EQ(cuda.counts(harris_).failed(), 0);
    EXPECT_FALSE(cuda.was_tried(harris_, draw(0).schedule));
    EXPECT_TRUE(open().was_tried(harris_, draw(0).schedule));
}

TEST_F(LedgerTest, RefusesSamplesOfAnotherDevice) {
    SampleFolder folder = open();
    ASSERT_TRUE(folder.add(example_origin(), sample_of(harris_, draw(0), 1)));
    SampleOrigin other = example_origin();
    other.device = "another";
    EXPECT_FALSE(folder.add(other, sample_of(harris_, draw(1), 2)));
    EXPECT_EQ(folder.counts(harris_).samples, 1);
}

TEST_F(LedgerTest, DoesNotOpenADamagedFolder) {
    scratch_.write("out/opencl.samples", "no samples at all");
    EXPECT_FALSE(SampleFolder::open(scratch_.path("out"), "opencl"));
    EXPECT_TRUE(SampleFolder::open(scratch_.path("out"), "cuda"));
    scratch_.write("out/cuda.failures.jsonl", "none\n");
    EXPECT_FALSE(SampleFolder::open(scratch_.path("out"), "cuda"));
    EXPECT_FALSE(SampleFolder::open(scratch_.path("out/cuda.failures.jsonl"), "cuda"));
}

}  // namespace
}  // namespace autoschedule_gpu
