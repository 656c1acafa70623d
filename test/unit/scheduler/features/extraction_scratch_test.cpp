#include "scheduler/features/extraction_scratch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/example_dags.h"

namespace autoschedule_gpu {
namespace {

class ExtractionScratchTest : public testing::Test {
protected:
    const Dag dag_ = example::two_stencils(64, 64);
    const GpuModel gpu_ = find_preset("a100").value();
    ExtractionScratch scratch_{dag_, gpu_};
};

TEST_F(ExtractionScratchTest, HandsOutZeroesAgainAfterAReset) {
    for (double &value : scratch_.array<double>(100)) value = 7;
    scratch_.reset();
    EXPECT_EQ(std::ranges::count(scratch_.array<double>(100), 0.0), 100);
}

TEST_F(ExtractionScratchTest, HandsOutEmptyRegionsAgainAfterAReset) {
    RegionSet &regions = scratch_.regions();
    regions.include(FuncId(0), std::vector<Interval>(dag_.funcs[0].dims.size(), {1, 2}));
    ASSERT_TRUE(regions.touched(FuncId(0)));
    scratch_.reset();
    EXPECT_FALSE(scratch_.regions().touched(FuncId(0)));
}

TEST_F(ExtractionScratchTest, GivesEachUserRoomOfItsOwn) {
    const auto bytes = scratch_.array<char>(3);
    const auto numbers = scratch_.array<double>(2);
    std::ranges::fill(bytes, 'x');
    EXPECT_EQ(std::ranges::count(numbers, 0.0), 2);
    EXPECT_NE(&scratch_.regions(), &scratch_.regions());
}

TEST_F(ExtractionScratchTest, HasRoomForMoreThanItKeeps) {
    const auto some = scratch_.array<double>(1000);
    const auto many = scratch_.array<double>(100000);
    std::ranges::fill(some, 1);
    std::ranges::fill(many, 2);
    const auto more = scratch_.array<double>(10);
    EXPECT_EQ(std::ranges::count(some, 1.0), 1000);
    EXPECT_EQ(std::ranges::count(many, 2.0), 100000);
    EXPECT_EQ(std::ranges::count(more, 0.0), 10);
}

}  // namespace
}  // namespace autoschedule_gpu
