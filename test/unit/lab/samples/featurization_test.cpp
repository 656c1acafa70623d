#include "lab/samples/featurization.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "core/support/bytes.h"
#include "core/support/random.h"
#include "lab/samples/file_header.h"
#include "lab/samples/record.h"
#include "unit/lab/samples/example_samples.h"

namespace autoschedule_gpu {
namespace {

// A file header of 16 bytes, a record's head of 8, and the number of kernels in 4.
constexpr size_t kFirstKernel = 28;

const size_t kKernelFeatures = kernel_feature_list().size();
const size_t kStageFeatures = stage_feature_list().size() + algorithm_feature_list().size();

std::vector<FeatureTable> example_tables() {
    return {example_table(10, 1), example_table(20, 2)};
}

std::string example_bytes() {
    return featurization_bytes(example_tables()).value();
}

template <typename T>
T value_at(const std::string &bytes, size_t offset) {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

// The same with a correct checksum around a payload in which `value` stands at `offset`.
template <typename T>
std::string bytes_with(size_t offset, T value) {
    std::string bytes = example_bytes();
    std::memcpy(bytes.data() + offset, &value, sizeof value);
    const size_t head = kFileHeaderBytes + kRecordHeadBytes;
    const std::string payload = bytes.substr(head, bytes.size() - head - kChecksumBytes);
    return file_header(kFeaturizationFormat) + record_bytes(0, payload).value();
}

TEST(Featurization, GivesTheTablesBack) {
    const auto found = parse_featurization(example_bytes());
    ASSERT_TRUE(found) << found.error().message;
    expect_same(*found, example_tables());
    EXPECT_TRUE(parse_featurization(featurization_bytes({}).value()).value().empty());
}

TEST(Featurization, KeepsAStageWithoutAnId) {
    FeatureTable table;
    table.stages.resize(1);
    const std::string bytes = featurization_bytes({&table, 1}).value();
    EXPECT_EQ(parse_featurization(bytes).value()[0].stages[0].stage, -1);
}

TEST(Featurization, RoundsToFloat32) {
    FeatureTable table;
    table.kernel.num_blocks = 16777217;  // 2^24 + 1, which float32 rounds to even: 2^24
    const std::string bytes = featurization_bytes({&table, 1}).value();
    EXPECT_EQ(parse_featurization(bytes).value()[0].kernel.num_blocks, 16777216);
}

TEST(Featurization, LiesAsTheReadmeSays) {
    const std::string bytes = example_bytes();
    EXPECT_EQ(bytes.substr(0, 4), "ASGF");
    EXPECT_EQ(value_at<uint32_t>(bytes, 4), 1u);
    EXPECT_EQ(value_at<uint64_t>(bytes, 8), feature_schema_hash());
    EXPECT_EQ(value_at<uint32_t>(bytes, 24), 2u);            // kernels
    EXPECT_EQ(value_at<float>(bytes, kFirstKernel), 10.0f);  // the first of its features
    EXPECT_EQ(value_at<float>(bytes, kFirstKernel + 4), 11.0f);
    const size_t stages = kFirstKernel + 4 * kKernelFeatures;
    EXPECT_EQ(value_at<uint32_t>(bytes, stages), 1u);
    EXPECT_EQ(value_at<int32_t>(bytes, stages + 4), 3);      // its id
    EXPECT_EQ(value_at<float>(bytes, stages + 8), 1010.0f);  // the first stage feature
    const size_t algorithm = stages + 8 + 4 * stage_feature_list().size();
    EXPECT_EQ(value_at<float>(bytes, algorithm), 1510.0f);
    const size_t payload = 4 + 2 * (4 * kKernelFeatures + 4) + 3 * (4 + 4 * kStageFeatures);
    EXPECT_EQ(value_at<uint32_t>(bytes, 16), payload);
    EXPECT_EQ(bytes.size(), 16 + 8 + payload + 8);
}

TEST(Featurization, DoesNotWriteFeaturesThatCannotBe) {
    std::vector<FeatureTable> tables = example_tables();
    tables[1].stages[0].num_scalars = std::nan("");
    EXPECT_EQ(error_of(featurization_bytes(tables)),
              "kernel 1, stage 0, feature num_scalars: expected a number from 0 to 3.4e38, found "
              "nan");
    tables = example_tables();
    tables[0].kernel.num_blocks = -1;
    EXPECT_EQ(error_of(featurization_bytes(tables)),
              "kernel 0, feature num_blocks: expected a number from 0 to 3.4e38, found -1");
    tables = example_tables();
    tables[0].stages[0].algorithm.loads = 1e39;
    EXPECT_EQ(error_of(featurization_bytes(tables)),
              "kernel 0, stage 0, feature loads: expected a number from 0 to 3.4e38, found 1e+39");
}

TEST(Featurization, DoesNotReadWhatItWouldNotWrite) {
    EXPECT_EQ(error_of(parse_featurization(bytes_with(kFirstKernel, -2.0f))),
              "kernel 0, feature num_blocks: expected a number from 0 to 3.4e38, found -2");
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(error_of(parse_featurization(bytes_with(kFirstKernel, infinity))),
              "kernel 0, feature num_blocks: expected a number from 0 to 3.4e38, found inf");
    const size_t id = kFirstKernel + 4 * kKernelFeatures + 4;
    EXPECT_EQ(error_of(parse_featurization(bytes_with(id, int32_t{-7}))),
              "kernel 0, stage 0, expected a stage's id, found -7");
}

TEST(Featurization, OfAnotherFormatVersionOrFeatureListIsRefused) {
    EXPECT_EQ(error_of(parse_featurization("{}")),
              "expected a featurization, which begins with 'ASGF', found something else");
    EXPECT_EQ(error_of(parse_featurization("")),
              "expected a featurization, which begins with 'ASGF', found something else");
    EXPECT_EQ(error_of(parse_featurization("ASGF")),
              "expected a featurization of at least 16 bytes, found 4: it is cut short");
    std::string bytes = example_bytes();
    bytes[4] = 2;
    EXPECT_EQ(error_of(parse_featurization(bytes)),
              "expected version 1 of a featurization, found version 2: read it with the release "
              "that wrote it");
    bytes = example_bytes();
    bytes[8] ^= 1;
    EXPECT_TRUE(error_of(parse_featurization(bytes)).starts_with("expected the feature list "));
}

TEST(Featurization, OfAnEarlierFeatureListHasZerosForWhatItLacks) {
    for (const FeatureCounts &earlier : api::kEarlierFeatureCounts) {
        const std::string record =
            record_bytes(0, earlier_tables(example_tables(), earlier)).value();
        const auto found =
            parse_featurization(earlier_header(kFeaturizationFormat, earlier) + record);
        ASSERT_TRUE(found) << found.error().message;
        expect_same(*found, without_later_features(example_tables(), earlier));
        // Under the header of another list, the same bytes are no tables.
        EXPECT_FALSE(parse_featurization(file_header(kFeaturizationFormat) + record));
    }
}

TEST(Featurization, SaysWhereItIsCutShortOrTooLong) {
    const std::string bytes = example_bytes();
    const std::string size = std::to_string(bytes.size());
    EXPECT_EQ(error_of(parse_featurization(bytes.substr(0, 100))),
              "expected " + size + " bytes of a featurization, found 100: it is cut short");
    EXPECT_EQ(error_of(parse_featurization(bytes + "x")),
              "expected " + size + " bytes of a featurization, found " +
                  std::to_string(bytes.size() + 1) + ": it goes on after its end");
}

TEST(Featurization, CutShortAnywhereIsAnError) {
    const std::string bytes = example_bytes();
    for (size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_FALSE(parse_featurization(bytes.substr(0, size))) << size;
    }
}

TEST(Featurization, WithAnyBitFlippedIsAnError) {
    std::string bytes = example_bytes();
    for (size_t i = 0; i < bytes.size(); ++i) {
        for (int bit = 0; bit < 8; ++bit) {
            bytes[i] ^= static_cast<char>(1 << bit);
            EXPECT_FALSE(parse_featurization(bytes)) << "bit " << bit << " of byte " << i;
            bytes[i] ^= static_cast<char>(1 << bit);
        }
    }
}

TEST(Featurization, WithAnyByteReplacedIsAnError) {
    Random random(1);
    std::string bytes = example_bytes();
    for (size_t i = 0; i < bytes.size(); ++i) {
        const char was = bytes[i];
        bytes[i] = static_cast<char>(was + random.between(1, 255));
        EXPECT_FALSE(parse_featurization(bytes)) << i;
        bytes[i] = was;
    }
}

TEST(Featurization, OfRandomBytesIsAnError) {
    Random random(2);
    for (int run = 0; run < 2000; ++run) {
        std::string noise(random.below(300), '\0');
        for (char &c : noise) c = static_cast<char>(random.next());
        EXPECT_FALSE(parse_featurization(noise));
        EXPECT_FALSE(parse_featurization(file_header(kFeaturizationFormat) + noise));
        // What a writer with a correct checksum might hand over.
        const std::string record = record_bytes(0, noise).value();
        EXPECT_FALSE(parse_featurization(file_header(kFeaturizationFormat) + record));
    }
}

TEST(Featurization, WithAbsurdCountsIsRefusedBeforeMemoryIsTaken) {
    const std::string kernels = error_of(parse_featurization(bytes_with(24, ~uint32_t{0})));
    EXPECT_TRUE(kernels.starts_with("expected ")) << kernels;
    EXPECT_NE(kernels.find(" bytes of 4294967295 kernels, found "), std::string::npos) << kernels;
    const size_t count = kFirstKernel + 4 * kKernelFeatures;
    const std::string stages = error_of(parse_featurization(bytes_with(count, ~uint32_t{0})));
    EXPECT_TRUE(stages.starts_with("kernel 0, expected ")) << stages;
    EXPECT_NE(stages.find(" bytes of 4294967295 stages, found "), std::string::npos) << stages;
}

}  // namespace
}  // namespace autoschedule_gpu
