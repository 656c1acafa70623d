#include "lab/run/synthetic_input.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

namespace autoschedule_gpu {
namespace {

FilterArgument argument(const std::string &type, const std::vector<int64_t> &extents,
                        const std::string &name = "input") {
    FilterArgument result{.name = name, .type = parse_element_type(type).value()};
    for (const int64_t extent : extents) result.dimensions.push_back({.min = -3, .extent = extent});
    pack(result.dimensions);
    return result;
}

template <typename T>
std::vector<T> filled(const FilterArgument &argument, uint64_t seed = 1) {
    std::vector<T> values(static_cast<size_t>(elements_of(argument)));
    EXPECT_EQ(values.size() * sizeof(T), bytes_of(argument));
    fill_input(argument, seed, reinterpret_cast<std::byte *>(values.data()));
    return values;
}

TEST(FillInput, DependsOnNameAndSeedAndNothingElse) {
    const std::vector<float> picture = filled<float>(argument("float32", {40, 30}));
    EXPECT_EQ(picture, filled<float>(argument("float32", {40, 30})));
    EXPECT_NE(picture, filled<float>(argument("float32", {40, 30}), 2));
    EXPECT_NE(picture, filled<float>(argument("float32", {40, 30}, "other")));
}

TEST(FillInput, IsSmoothWithALittleNoiseAndAnEdge) {
    const FilterArgument image = argument("float32", {512, 4});
    const std::vector<float> picture = filled<float>(image);
    int edges = 0;
    for (size_t i = 1; i < 512; i++) {
        const float step = std::fabs(picture[i] - picture[i - 1]);
        EXPECT_LT(step, 0.4f);
        EXPECT_NE(step, 0.0f);
        edges += step > 0.12f ? 1 : 0;
    }
    EXPECT_LE(edges, 20);
    const auto [least, greatest] = std::minmax_element(picture.begin(), picture.end());
    EXPECT_GT(*least, 0);
    EXPECT_LT(*greatest, 1);
    EXPECT_GT(*greatest - *least, 0.2f);
}

TEST(FillInput, LooksTheSameInAnyLayout) {
    FilterArgument planar = argument("float32", {8, 5, 3});
    FilterArgument interleaved = planar;
    interleaved.dimensions[2].stride = 0;
    pack(interleaved.dimensions);
    ASSERT_EQ(interleaved.dimensions[0].stride, 3);
    const std::vector<float> a = filled<float>(planar), b = filled<float>(interleaved);
    for (int64_t c = 0; c < 3; c++) {
        for (int64_t y = 0; y < 5; y++) {
            for (int64_t x = 0; x < 8; x++) {
                // Products of floats, taken in another order.
                ASSERT_NEAR(a[static_cast<size_t>(x + 8 * y + 40 * c)],
                            b[static_cast<size_t>(c + 3 * x + 24 * y)], 1e-6);
            }
        }
    }
}

template <typename T>
void expect_range(const char *type, double least, double greatest) {
    const std::vector<T> values = filled<T>(argument(type, {200, 50}));
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    EXPECT_GE(static_cast<double>(*low), least) << type;
    EXPECT_LE(static_cast<double>(*high), greatest) << type;
    EXPECT_GT(static_cast<double>(*high) - static_cast<double>(*low), 0.4 * (greatest - least))
        << type;
}

TEST(FillInput, SpreadsIntegersOverTheirRange) {
    expect_range<uint8_t>("uint8", 0, 255);
    expect_range<int8_t>("int8", 0, 127);
    expect_range<uint16_t>("uint16", 0, 1023);
    expect_range<int16_t>("int16", 0, 1023);
    expect_range<int32_t>("int32", 0, 255);
    expect_range<uint32_t>("uint32", 0, 255);
    expect_range<int64_t>("int64", 0, 255);
    expect_range<uint64_t>("uint64", 0, 255);
    expect_range<double>("float64", 0, 1);
    const std::vector<uint8_t> bits = filled<uint8_t>(argument("bool", {200, 50}));
    EXPECT_EQ(std::set<uint8_t>(bits.begin(), bits.end()), (std::set<uint8_t>{0, 1}));
    for (const uint16_t half : filled<uint16_t>(argument("float16", {50, 5}))) {
        EXPECT_GT(half_to_float(half), 0);
        EXPECT_LT(half_to_float(half), 1);
    }
}

TEST(FillInput, FillsBuffersWithoutDimensionsAndEmptyOnes) {
    const std::vector<float> one = filled<float>(argument("float32", {}));
    ASSERT_EQ(one.size(), 1u);
    EXPECT_GT(one[0], 0);
    EXPECT_LT(one[0], 1);
    EXPECT_TRUE(filled<float>(argument("float32", {4, 0, 3})).empty());
}

TEST(FillOutput, DiffersBetweenReferenceAndCandidate) {
    for (const char *type :
         {"uint8", "bool", "int64", "float16", "bfloat16", "float32", "float64"}) {
        const FilterArgument output = argument(type, {5, 3});
        std::vector<std::byte> a(bytes_of(output)), b(bytes_of(output));
        fill_output(output, Filler::reference, a.data());
        fill_output(output, Filler::candidate, b.data());
        EXPECT_NE(std::memcmp(a.data(), b.data(), a.size()), 0) << type;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
