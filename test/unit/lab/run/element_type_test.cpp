#include "lab/run/element_type.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <vector>

namespace autoschedule_gpu {
namespace {

TEST(ElementType, IsReadBackFromItsText) {
    for (const char *text : {"int8", "int16", "int32", "int64", "bool", "uint8", "uint16", "uint32",
                             "uint64", "float16", "float32", "float64", "bfloat16", "handle64"}) {
        const auto type = parse_element_type(text);
        ASSERT_TRUE(type.ok()) << text;
        EXPECT_EQ(to_string(*type), text);
    }
    EXPECT_EQ(parse_element_type("bool")->bytes(), 1u);
    EXPECT_EQ(parse_element_type("float64")->bytes(), 8u);
    for (const char *text : {"", "float", "float8", "int3", "double", "float32x", "uint-8"}) {
        EXPECT_FALSE(parse_element_type(text).ok()) << text;
    }
}

TEST(ElementType, LoadsTheNumberThatItStored) {
    for (const char *text : {"int8", "int16", "int32", "int64", "bool", "uint8", "uint16", "uint32",
                             "uint64", "float16", "float32", "float64", "bfloat16"}) {
        const ElementType type = parse_element_type(text).value();
        std::vector<double> numbers = {0, 1};
        if (type.is_float()) numbers.insert(numbers.end(), {0.75, -1.5});
        if (type.kind == ElementKind::signed_integer) numbers.push_back(-100);
        for (const double number : numbers) {
            std::array<std::byte, 8> memory{};
            store_number(type, number, memory.data());
            EXPECT_EQ(load_number(type, memory.data()), number) << text;
        }
    }
}

TEST(Half, HasTheValuesOfTheStandard) {
    struct Row {
        uint16_t bits;
        float value;
    };
    for (const Row &row :
         {Row{0x0000, 0.0f}, Row{0x3c00, 1.0f}, Row{0xc000, -2.0f}, Row{0x7bff, 65504.0f},
          Row{0x0400, 0x1p-14f}, Row{0x0001, 0x1p-24f}, Row{0x03ff, 1023 * 0x1p-24f},
          Row{0x3555, 0.333251953125f}, Row{0x7c00, INFINITY}, Row{0xfc00, -INFINITY}}) {
        EXPECT_EQ(half_to_float(row.bits), row.value) << std::hex << row.bits;
        EXPECT_EQ(float_to_half(row.value), row.bits) << row.value;
    }
    EXPECT_TRUE(std::isnan(half_to_float(float_to_half(NAN))));
}

TEST(Half, EveryOneSurvivesTheWayThroughFloat) {
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        const auto half = static_cast<uint16_t>(bits);
        const float value = half_to_float(half);
        if (std::isnan(value)) continue;
        ASSERT_EQ(float_to_half(value), half) << std::hex << bits;
    }
}

TEST(Half, RoundsToNearestAndTiesToEven) {
    EXPECT_EQ(float_to_half(1.0f + 0x1p-11f), 0x3c00);
    EXPECT_EQ(float_to_half(1.0f + 3 * 0x1p-11f), 0x3c02);
    EXPECT_EQ(float_to_half(1.0f + 0x1p-11f + 0x1p-20f), 0x3c01);
    EXPECT_EQ(float_to_half(65519.0f), 0x7bff);
    EXPECT_EQ(float_to_half(65520.0f), 0x7c00);
    EXPECT_EQ(float_to_half(0x1p-26f), 0x0000);
}

TEST(Bfloat, IsTheUpperHalfOfAFloat) {
    EXPECT_EQ(bfloat_to_float(0x3f80), 1.0f);
    EXPECT_EQ(float_to_bfloat(-1.0f), 0xbf80);
    EXPECT_EQ(float_to_bfloat(1.0f + 0x1p-8f), 0x3f80);
    EXPECT_EQ(float_to_bfloat(1.0f + 3 * 0x1p-8f), 0x3f82);
    EXPECT_TRUE(std::isnan(bfloat_to_float(float_to_bfloat(NAN))));
}

}  // namespace
}  // namespace autoschedule_gpu
