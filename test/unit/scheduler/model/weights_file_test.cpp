#include "scheduler/model/weights_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>

#include "core/support/bytes.h"
#include "core/support/file.h"
#include "core/support/random.h"

namespace autoschedule_gpu {
namespace {

// Where the header's fields lie (weights/README.md).
constexpr size_t kVersionAt = 4, kSchemaAt = 8, kShapeAt = 16, kHeaderBytes = 32;

Weights example_weights() {
    Weights weights{{"NVIDIA H100 80GB HBM3", "H100", "200 random pipelines", "2026-01-31",
                     "retrain_cost_model --seed 7", 7},
                    CardSummary{0.91, 0.85, 0.75, 20, 4000},
                    Network::initial(7)};
    Normalisation normalisation;
    for (size_t i = 0; i < normalisation.mean.size(); ++i) {
        normalisation.mean[i] = static_cast<float>(i) / 8;
        normalisation.scale[i] = 1 / (1 + static_cast<float>(i));
    }
    weights.network.set_normalisation(normalisation);
    return weights;
}

std::string example_bytes() {
    return weights_bytes(example_weights()).value();
}

// The error of bytes that must be refused.
std::string refusal(std::string_view bytes) {
    const Result<Weights> weights = parse_weights(bytes);
    return weights ? "not refused" : weights.error().message;
}

// With a header and a checksum that fit whatever was changed between them.
std::string resealed(std::string bytes) {
    bytes.resize(bytes.size() - sizeof(uint64_t));
    const uint64_t size = bytes.size() + sizeof size;
    std::memcpy(bytes.data() + kHeaderBytes - sizeof size, &size, sizeof size);
    append_value(bytes, checksum(bytes, 1));
    return bytes;
}

TEST(WeightsFile, GivesBackWhatWasWritten) {
    Weights written = example_weights();
    for (const bool with_card : {true, false}) {
        if (!with_card) written.card.reset();
        const Result<Weights> read = parse_weights(weights_bytes(written).value());
        ASSERT_TRUE(read.ok()) << read.error().message;
        EXPECT_EQ(read->origin, written.origin);
        EXPECT_EQ(read->card, written.card);
        EXPECT_EQ(read->network.normalisation().mean, written.network.normalisation().mean);
        EXPECT_EQ(read->network.normalisation().scale, written.network.normalisation().scale);
        EXPECT_TRUE(std::ranges::equal(read->network.parameters(), written.network.parameters()));
    }
}

TEST(WeightsFile, HasTheDocumentedLayout) {
    const Weights weights = example_weights();
    const std::string bytes = example_bytes();
    EXPECT_EQ(bytes.substr(0, 8), std::string("ASGW\1\0\0\0", 8));
    uint64_t field = 0;
    std::memcpy(&field, bytes.data() + kSchemaAt, sizeof field);
    EXPECT_EQ(field, feature_schema_hash());
    std::memcpy(&field, bytes.data() + kShapeAt, sizeof field);
    EXPECT_EQ(field, Network::shape_hash());
    std::memcpy(&field, bytes.data() + 24, sizeof field);
    EXPECT_EQ(field, bytes.size());
    EXPECT_EQ(bytes.substr(32, 4 + 21), std::string("\x15\0\0\0NVIDIA H100 80GB HBM3", 25));
    // Five texts of 21, 4, 20, 10 and 27 characters, the seed, the card and its flag, mean and
    // scale of each input, the parameters, the checksum.
    EXPECT_EQ(bytes.size(), 32 + 5 * 4 + 21 + 4 + 20 + 10 + 27 + 8 + 4 + 40 +
                                4 * (2 * kInputs + weights.network.parameters().size()) + 8);
    EXPECT_EQ(bytes.substr(114 + 8 + 4 + 40 + 20, 4), std::string("\0\0\0\0", 4));
}

TEST(WeightsFile, RefusesEveryFlippedByte) {
    const std::string bytes = example_bytes();
    for (size_t i = 0; i < bytes.size(); ++i) {
        std::string flipped = bytes;
        flipped[i] = static_cast<char>(~flipped[i]);
        ASSERT_NE(refusal(flipped), "not refused") << "byte " << i;
    }
}

TEST(WeightsFile, RefusesEveryTruncation) {
    const std::string bytes = example_bytes();
    for (size_t size = 0; size < bytes.size(); ++size) {
        ASSERT_NE(refusal(std::string_view(bytes).substr(0, size)), "not refused") << size;
    }
}

TEST(WeightsFile, RefusesRandomBytes) {
    Random random(1);
    const std::string bytes = example_bytes();
    for (int tries = 0; tries < 2000; ++tries) {
        // Behind a header that fits, so that more than the header is looked at.
        std::string noise = bytes.substr(0, kHeaderBytes);
        noise.resize(kHeaderBytes + sizeof(uint64_t) + random.below(300));
        for (char &c : std::span(noise).subspan(kHeaderBytes)) {
            c = static_cast<char>(random.below(random.below(2) == 0 ? 256 : 4));
        }
        EXPECT_NE(refusal(noise), "not refused");
        EXPECT_NE(refusal(resealed(noise)), "not refused");
        EXPECT_NE(refusal(noise.substr(random.below(noise.size()))), "not refused");
    }
}

TEST(WeightsFile, SaysWhatWasExpectedAndFound) {
    const std::string bytes = example_bytes();
    EXPECT_EQ(refusal("{\"weights\": 1}"),
              "expected weights, which begin with 'ASGW', found something else");
    EXPECT_EQ(refusal(bytes.substr(0, 20)),
              "expected at least 32 bytes of weights, found 20: the file is cut short");
    EXPECT_EQ(refusal(bytes.substr(0, 100)), "expected " + std::to_string(bytes.size()) +
                                                 " bytes of weights, found 100: the file is cut "
                                                 "short");
    EXPECT_EQ(refusal(bytes + "x"),
              "expected " + std::to_string(bytes.size()) + " bytes of weights, found " +
                  std::to_string(bytes.size() + 1) + ": the file goes on after its end");
    std::string other = bytes;
    other[kVersionAt] = 9;
    EXPECT_EQ(refusal(other),
              "expected version 1 of weights, found version 9: use the release that wrote them");
    other = bytes;
    std::memset(other.data() + kSchemaAt, 0x11, 8);
    EXPECT_NE(refusal(other).find("found 1111111111111111: train them again"), std::string::npos);
    other = bytes;
    std::memset(other.data() + kShapeAt, 0x22, 8);
    EXPECT_NE(refusal(other).find("found 2222222222222222: train them again"), std::string::npos);
    other = bytes;
    other[other.size() / 2] ^= 1;
    EXPECT_NE(refusal(other).find("the file is damaged"), std::string::npos);
}

TEST(WeightsFile, RefusesNumbersThatNoTrainingGives) {
    const float bad[] = {std::numeric_limits<float>::quiet_NaN(),
                         std::numeric_limits<float>::infinity(), 2 * Network::kMostParameter};
    for (const float number : bad) {
        Weights weights = example_weights();
        weights.network.parameters()[5] = number;
        const Result<std::string> refused = weights_bytes(weights);
        ASSERT_FALSE(refused.ok());
        EXPECT_EQ(refused.error().message.find(
                      "algorithm_weights: expected numbers of magnitude up to 1000, found "),
                  0u)
            << refused.error().message;

        std::string bytes = example_bytes();
        const size_t parameters_at =
            bytes.size() - sizeof(uint64_t) - weights.network.parameters().size_bytes();
        std::memcpy(bytes.data() + parameters_at + 5 * sizeof number, &number, sizeof number);
        EXPECT_EQ(refusal(resealed(bytes)), refused.error().message);
    }
    Weights weights = example_weights();
    Normalisation normalisation = weights.network.normalisation();
    normalisation.scale[3] = std::numeric_limits<float>::infinity();
    weights.network.set_normalisation(normalisation);
    EXPECT_EQ(weights_bytes(weights).error().message,
              "normalisation: expected finite numbers, found inf");
    weights = example_weights();
    weights.card->roofline = 1.5;
    EXPECT_EQ(weights_bytes(weights).error().message,
              "report card: expected an accuracy from 0 to 1, found 1.5");
}

TEST(WeightsFile, ErrorsOfFilesBeginWithThePath) {
    const std::string folder = testing::TempDir() + "weights_file_test/";
    std::filesystem::create_directories(folder);
    const std::string path = folder + "a.weights";
    ASSERT_TRUE(write_weights(path, example_weights()).ok());
    const Result<Weights> read = read_weights(path);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->origin.device, "NVIDIA H100 80GB HBM3");

    // What can't be written leaves what was there.
    Weights bad = example_weights();
    bad.network.parameters()[0] = std::numeric_limits<float>::infinity();
    const Status refused = write_weights(path, bad);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().message.find(path + ": "), 0u);
    EXPECT_TRUE(read_weights(path).ok());

    ASSERT_TRUE(write_file(path, "nothing").ok());
    EXPECT_EQ(read_weights(path).error().message,
              path + ": expected weights, which begin with 'ASGW', found something else");
    EXPECT_FALSE(read_weights(folder + "none.weights").ok());
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace autoschedule_gpu
