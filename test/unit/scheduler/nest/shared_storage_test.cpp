#include "scheduler/nest/shared_storage.h"

#include <gtest/gtest.h>

#include <array>

namespace autoschedule_gpu {
namespace {

Func with_values(std::vector<ScalarType> values, size_t dims = 1) {
    Func func;
    func.values = std::move(values);
    func.dims.resize(dims);
    return func;
}

constexpr ScalarType of_bits(uint8_t bits) {
    return {ScalarType::Code::unsigned_int, bits};
}

TEST(SharedStorage, RowsAreWholeElementsOfTheWidest) {
    EXPECT_EQ(shared_row_alignment(with_values({of_bits(8)}), 4), 4);
    EXPECT_EQ(shared_row_alignment(with_values({of_bits(16)}), 8), 4);
    EXPECT_EQ(shared_row_alignment(with_values({of_bits(32)}), 4), 1);
    EXPECT_EQ(shared_row_alignment(with_values({of_bits(1)}), 4), 4);
    EXPECT_EQ(shared_row_alignment(with_values({of_bits(32), of_bits(16)}), 4), 2);
    EXPECT_EQ(shared_row_alignment(with_values({of_bits(8)}), 1), 1);
    EXPECT_EQ(shared_row_alignment(with_values({of_bits(8)}, 0), 4), 1);
}

TEST(SharedStorage, RoundsUpTheFirstDimension) {
    EXPECT_EQ(stored_points(std::array<int64_t, 2>{197, 33}, 4), 200 * 33);
    EXPECT_EQ(stored_points(std::array<int64_t, 2>{196, 33}, 4), 196 * 33);
    EXPECT_EQ(stored_points(std::array<int64_t, 2>{197, 33}, 1), 197 * 33);
    EXPECT_EQ(stored_points({}, 4), 1);
}

}  // namespace
}  // namespace autoschedule_gpu
