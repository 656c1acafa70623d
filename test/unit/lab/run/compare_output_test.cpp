#include "lab/run/compare_output.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lab/run/synthetic_input.h"

namespace autoschedule_gpu {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

template <typename T>
OutputDifference compared(const std::string &type, const std::vector<T> &expected,
                          const std::vector<T> &found, const Tolerance &tolerance = {}) {
    FilterArgument argument{.name = "output",
                            .kind = ArgumentKind::output,
                            .type = parse_element_type(type).value(),
                            .dimensions = {{0, static_cast<int64_t>(expected.size()), 1}}};
    return compare_output(argument, reinterpret_cast<const std::byte *>(expected.data()),
                          reinterpret_cast<const std::byte *>(found.data()), tolerance);
}

TEST(CompareOutput, FollowsTheToleranceOfFloats) {
    struct Case {
        std::vector<float> expected, found;
        int64_t wrong;
        double worst;
    };
    const std::vector<Case> cases = {
        {{1, 2, 4}, {1, 2, 4}, 0, 0},
        {{1, 2, 4}, {1, 2.0003f, 4}, 0, 3e-4},  // 1e-4 of 4
        {{1, 2, 4}, {1, 2.0005f, 4}, 1, 5e-4},
        {{0.001f, 4}, {0.0012f, 4}, 0, 2e-4},  // small beside the greatest
        {{-4, 1}, {-4, 1.0003f}, 0, 3e-4},
        {{0, 0}, {5e-5f, 0}, 0, 5e-5},  // zero all over: absolute
        {{0, 0}, {2e-4f, 0}, 1, 2e-4},
        {{kNan, 1}, {kNan, 1}, 0, 0},
        {{kNan, 1}, {1, 1}, 1, kInfinite},
        {{1, 1}, {kNan, 1}, 1, kInfinite},
        {{kInf, 1}, {kInf, 1}, 0, 0},
        {{kInf, 1}, {-kInf, 1}, 1, kInfinite},
        {{kInf, 1}, {3e38f, 1}, 1, kInfinite},
        {{1, 1}, {kInf, 1}, 1, kInfinite},
        {{kInf, 1}, {kInf, 1.001f}, 1, 1e-3},  // infinity does not widen the limit
        {{kNan, kInf}, {kInf, kNan}, 2, kInfinite},
        {{0.0f}, {-0.0f}, 0, 0}};
    for (const Case &c : cases) {
        const OutputDifference result = compared("float32", c.expected, c.found);
        EXPECT_EQ(result.wrong_elements, c.wrong) << c.expected[0] << " " << c.found[0];
        if (std::isinf(c.worst)) {
            EXPECT_EQ(result.worst_difference, c.worst);
        } else {
            EXPECT_NEAR(result.worst_difference, c.worst, 1e-6);
        }
    }
}

TEST(CompareOutput, TakesIntegersExactlyUnlessStepsAreAllowed) {
    const std::vector<uint8_t> expected = {10, 20, 255}, off_by_one = {10, 21, 255};
    EXPECT_EQ(compared("uint8", expected, expected).wrong_elements, 0);
    EXPECT_EQ(compared("uint8", expected, off_by_one).wrong_elements, 1);
    EXPECT_EQ(compared("uint8", expected, off_by_one, {.integer_steps = 1}).wrong_elements, 0);
    EXPECT_EQ(compared("uint8", expected, off_by_one, {.relative = 0.5}).wrong_elements, 1);
    EXPECT_EQ(compared<int8_t>("int8", {-128}, {127}).worst_difference, 255);
}

TEST(CompareOutput, IsExactOverTheWholeRangeOf64Bits) {
    const int64_t least = INT64_MIN, most = INT64_MAX;
    EXPECT_EQ(compared<int64_t>("int64", {most}, {most - 1}).wrong_elements, 1);
    EXPECT_EQ(compared<int64_t>("int64", {most}, {most - 1}).worst_difference, 1);
    EXPECT_EQ(compared<int64_t>("int64", {least}, {most}).worst_difference, 0x1p64);
    EXPECT_EQ(compared<uint64_t>("uint64", {UINT64_MAX}, {UINT64_MAX - 2}).worst_difference, 2);
}

TEST(CompareOutput, IsLooserForShortFloats) {
    const auto half = [](float value) { return float_to_half(value); };
    EXPECT_EQ(compared<uint16_t>("float16", {half(1)}, {half(1.004f)}).wrong_elements, 0);
    EXPECT_EQ(compared<uint16_t>("float16", {half(1)}, {half(1.006f)}).wrong_elements, 1);
    const auto brain = [](float value) { return float_to_bfloat(value); };
    EXPECT_EQ(compared<uint16_t>("bfloat16", {brain(1)}, {brain(1.03f)}).wrong_elements, 0);
    EXPECT_EQ(compared<uint16_t>("bfloat16", {brain(1)}, {brain(1.05f)}).wrong_elements, 1);
    EXPECT_EQ(compared<double>("float64", {1}, {1 + 5e-10}).wrong_elements, 0);
    EXPECT_EQ(compared<double>("float64", {1}, {1 + 5e-9}).wrong_elements, 1);
    EXPECT_EQ(compared<double>("float64", {1}, {1.05}, {.relative = 0.1}).wrong_elements, 0);
}

TEST(CompareOutput, TellsWhereTheWorstIs) {
    // Channels beside each other: in memory the order is c, x.
    FilterArgument argument{.name = "output",
                            .kind = ArgumentKind::output,
                            .type = parse_element_type("int32").value(),
                            .dimensions = {{-2, 4, 2}, {10, 2, 1}}};
    const std::vector<int32_t> expected(8, 0);
    std::vector<int32_t> found = expected;
    found[3] = 4;
    found[5] = -9;  // x = -2 + 2, c = 10 + 1
    const OutputDifference result =
        compare_output(argument, reinterpret_cast<const std::byte *>(expected.data()),
                       reinterpret_cast<const std::byte *>(found.data()), {});
    EXPECT_EQ(result.worst_at, (std::vector<int64_t>{0, 11}));
    EXPECT_EQ(result.worst_difference, 9);
    EXPECT_EQ(describe(result),
              "2 of 8 elements of output are wrong; the worst, at (0, 11), is -9 "
              "and should be 0 to within 0");
}

TEST(CompareOutput, FindsElementsThatNobodyWrote) {
    for (const char *type : {"uint8", "uint32", "float16", "bfloat16", "float32", "float64"}) {
        FilterArgument output{.name = "output",
                              .kind = ArgumentKind::output,
                              .type = parse_element_type(type).value(),
                              .dimensions = {{0, 3, 1}}};
        std::vector<std::byte> expected(bytes_of(output)), found(bytes_of(output));
        fill_output(output, Filler::reference, expected.data());
        fill_output(output, Filler::candidate, found.data());
        // Written by both but for the last.
        fill_output(output, Filler::reference, found.data());
        std::vector<std::byte> last(bytes_of(output));
        fill_output(output, Filler::candidate, last.data());
        const size_t size = output.type.bytes();
        std::copy_n(last.data(), size, found.data() + 2 * size);
        const OutputDifference result =
            compare_output(output, expected.data(), found.data(), {.relative = 1});
        EXPECT_EQ(result.wrong_elements, 1) << type;
        EXPECT_EQ(result.worst_at, (std::vector<int64_t>{2})) << type;
    }
}

TEST(IsConstant, HoldsForSeveralElementsThatAreAllTheSame) {
    const auto is_constant_row = [](const std::vector<float> &values) {
        const FilterArgument row{.name = "output",
                                 .kind = ArgumentKind::output,
                                 .dimensions = {{0, static_cast<int64_t>(values.size()), 1}}};
        return is_constant(row, reinterpret_cast<const std::byte *>(values.data()));
    };
    EXPECT_TRUE(is_constant_row({2, 2}));
    EXPECT_TRUE(is_constant_row({kNan, kNan, kNan}));
    EXPECT_FALSE(is_constant_row({2, 2, 3}));
    EXPECT_FALSE(is_constant_row({3, 2, 2}));
    EXPECT_FALSE(is_constant_row({2}));
    EXPECT_FALSE(is_constant_row({}));
}

TEST(IsAtMost, HoldsForAllTypesOfOutputs) {
    const Tolerance usual = {}, tiny = {.relative = 1e-10}, some = {.relative = 1e-3};
    const Tolerance large = {.relative = 0.1}, steps = {.integer_steps = 2};
    EXPECT_TRUE(is_at_most(usual, usual));
    EXPECT_TRUE(is_at_most(tiny, usual));
    EXPECT_TRUE(is_at_most(usual, large));
    EXPECT_TRUE(is_at_most(some, large));
    EXPECT_FALSE(is_at_most(large, some));
    // More than is usual of a float32, and less than of a float16.
    EXPECT_FALSE(is_at_most(usual, some));
    EXPECT_FALSE(is_at_most(some, usual));
    EXPECT_TRUE(is_at_most(usual, steps));
    EXPECT_FALSE(is_at_most(steps, usual));
    EXPECT_FALSE(is_at_most(steps, large));
}

}  // namespace
}  // namespace autoschedule_gpu
