#include "difference.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace autoschedule_gpu::apps {
namespace {

template <typename T>
Halide::Runtime::Buffer<> row(std::vector<T> values) {
    Halide::Runtime::Buffer<T> buffer(static_cast<int>(values.size()));
    for (int x = 0; x < buffer.width(); x++) buffer(x) = values[static_cast<size_t>(x)];
    return buffer;
}

template <typename T>
Difference between(std::vector<T> expected, std::vector<T> found,
                   const AllowedDifference &allowed = {.of_floats = 1e-4}) {
    return difference(row(std::move(expected)), row(std::move(found)), allowed);
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Difference, OfFloatsMayBeAShareOfTheLargestMagnitude) {
    const Difference close = between<float>({1, -100}, {1.005f, -100});
    EXPECT_NEAR(close.largest, 0.005, 1e-6);
    EXPECT_NEAR(close.tolerance, 0.01, 1e-9);
    EXPECT_TRUE(close.acceptable());
    EXPECT_FALSE(between<float>({1, -100}, {1.02f, -100}).acceptable());
    EXPECT_FALSE(between<double>({1}, {1 + 1e-3}).acceptable());
}

// Wherever it is: what comes after it must not hide it.
TEST(Difference, IsNotAcceptableWhereAValueIsNoNumber) {
    for (const float bad : {kNan, kInfinity, -kInfinity}) {
        EXPECT_FALSE(between<float>({1, 2, 3}, {bad, 2, 3}).acceptable());
        EXPECT_FALSE(between<float>({1, 2, 3}, {1, bad, 3}).acceptable());
        EXPECT_FALSE(between<float>({1, 2, 3}, {1, 2, bad}).acceptable());
        EXPECT_FALSE(between<float>({bad, 2, 3}, {1, 2, 3}).acceptable());
    }
}

// As the bytes are with which process.cpp fills outputs.
TEST(Difference, IsNotAcceptableWhereNeitherWasWritten) {
    EXPECT_FALSE(between<float>({kNan, 2}, {kNan, 2}).acceptable());
}

TEST(Difference, TakesInfinityWhereItIsExpected) {
    const Difference same = between<float>({kInfinity, 2}, {kInfinity, 2});
    EXPECT_TRUE(same.acceptable());
    EXPECT_NEAR(same.tolerance, 2e-4, 1e-9);
    EXPECT_FALSE(between<float>({kInfinity, 2}, {kInfinity, 3}).acceptable());
}

TEST(Difference, OfIntegersIsNoneUnlessStepsAreAllowed) {
    const AllowedDifference one = {.of_floats = 1, .of_integers = 1};
    EXPECT_FALSE(between<uint8_t>({200, 0}, {200, 1}).acceptable());
    EXPECT_TRUE(between<uint8_t>({200, 0}, {200, 1}, one).acceptable());
    EXPECT_FALSE(between<uint8_t>({200, 0}, {200, 2}, one).acceptable());
    EXPECT_EQ(between<uint8_t>({0}, {255}).largest, 255);
}

template <typename T>
class DifferenceOf : public ::testing::Test {};

using Types = ::testing::Types<bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t,
                               uint64_t, float, double>;
TYPED_TEST_SUITE(DifferenceOf, Types);

TYPED_TEST(DifferenceOf, EveryTypeIsFound) {
    const auto one = static_cast<TypeParam>(1), none = static_cast<TypeParam>(0);
    Halide::Runtime::Buffer<TypeParam> expected(2), found(2);
    expected.fill(one);
    found.fill(one);
    EXPECT_TRUE(difference(expected, found, {}).acceptable());
    found(1) = none;
    EXPECT_EQ(difference(expected, found, {}).largest, 1);
    EXPECT_FALSE(difference(expected, found, {}).acceptable());
}

TEST(Difference, OfWideIntegersIsExact) {
    constexpr int64_t least = std::numeric_limits<int64_t>::min();
    EXPECT_EQ(between<int64_t>({least}, {least + 1}).largest, 1);
    EXPECT_EQ(between<int64_t>({-1}, {1}).largest, 2);
}

TEST(Difference, OfOtherTypesIsRefused) {
    const halide_type_t half(halide_type_float, 16);
    const Halide::Runtime::Buffer<> halves(half, std::vector<int>{3});
    EXPECT_THROW(difference(halves, halves, {}), std::runtime_error);
}

}  // namespace
}  // namespace autoschedule_gpu::apps
