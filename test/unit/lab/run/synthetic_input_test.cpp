#include "lab/run/synthetic_input.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
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
std::vector<T> filled(const FilterArgument &argument, uint64_t seed = 1,
                      const std::optional<InputRange> &range = {}) {
    std::vector<T> values(static_cast<size_t>(elements_of(argument)));
    EXPECT_EQ(values.size() * sizeof(T), bytes_of(argument));
    fill_input(argument, seed, reinterpret_cast<std::byte *>(values.data()), range);
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

template <typename T>
std::vector<T> filled_in(const InputRange &range, const char *type) {
    return filled<T>(argument(type, {200, 50}), 1, range);
}

TEST(FillInput, StretchesThePictureToItsRange) {
    const std::vector<float> usual = filled<float>(argument("float32", {200, 50}));
    const std::vector<float> stretched = filled_in<float>({.least = -2, .greatest = 6}, "float32");
    for (size_t i = 0; i < usual.size(); i++) ASSERT_NEAR(stretched[i], 8 * usual[i] - 2, 1e-5);
    const std::vector<uint16_t> wide = filled_in<uint16_t>({.greatest = 65535}, "uint16");
    const auto [least, greatest] = std::minmax_element(wide.begin(), wide.end());
    EXPECT_LT(*least, 16384);
    EXPECT_GT(*greatest, 49152);
    for (const int8_t value : filled_in<int8_t>({.least = -128, .greatest = -126}, "int8")) {
        ASSERT_LE(value, -126);
    }
}

TEST(FillInput, DrawsWholeNumbersEquallyOften) {
    const InputRange range{.least = -1, .greatest = 2, .whole = true};
    std::map<float, int> times;
    for (const float value : filled_in<float>(range, "float32")) times[value]++;
    ASSERT_EQ(times.size(), 4u);
    for (const auto &[value, count] : times) {
        EXPECT_EQ(value, std::floor(value));
        EXPECT_NEAR(count, 2500, 250);
    }
    EXPECT_EQ(times.begin()->first, -1);
    EXPECT_EQ(times.rbegin()->first, 2);
    EXPECT_EQ(filled_in<float>(range, "float32"), filled_in<float>(range, "float32"));
}

TEST(FillInput, LeavesNothingBelowTheClamp) {
    const std::vector<float> values =
        filled_in<float>({.least = -1, .greatest = 1, .clamp_below = 0}, "float32");
    const auto zeros = std::count(values.begin(), values.end(), 0.0f);
    EXPECT_EQ(*std::min_element(values.begin(), values.end()), 0);
    EXPECT_GT(zeros, 2000);
    EXPECT_LT(zeros, 8000);
}

TEST(FillInput, TakesARangeForASingleElement) {
    const InputRange range{.least = 5, .greatest = 6};
    const float one = filled<float>(argument("float32", {}), 1, range).at(0);
    EXPECT_GT(one, 5);
    EXPECT_LT(one, 6);
}

TEST(CheckRange, IsWhetherTheTypeHasTheNumbers) {
    const auto fits = [](const char *type, const InputRange &range) {
        return check_range(argument(type, {3}), range).ok();
    };
    EXPECT_TRUE(fits("uint16", {.greatest = 65535}));
    EXPECT_FALSE(fits("uint16", {.greatest = 65536}));
    EXPECT_FALSE(fits("uint16", {.least = -1}));
    EXPECT_TRUE(fits("int8", {.least = -128, .greatest = 127}));
    EXPECT_FALSE(fits("int8", {.least = -129}));
    EXPECT_FALSE(fits("int32", {.greatest = 0.5}));
    EXPECT_TRUE(fits("bool", {}));
    EXPECT_FALSE(fits("bool", {.greatest = 2}));
    EXPECT_TRUE(fits("float32", {.greatest = 0.5}));
    EXPECT_FALSE(fits("float16", {.greatest = 1e5}));
    EXPECT_FALSE(fits("float32", {.greatest = 1e39}));
    EXPECT_TRUE(fits("float64", {.greatest = 1e39}));
    EXPECT_EQ(check_range(argument("uint8", {3}, "mask"), {.least = -1}).error().message,
              "the input mask is of type uint8, which does not have all of the range that it is to "
              "be filled with");
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
