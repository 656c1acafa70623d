#include "scheduler/features/gather.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/scheduler/features/features_of.h"

namespace autoschedule_gpu {
namespace {

const GpuModel kGpu = find_preset("a100").value();

// 32 lanes that all read the same float, but for what data decides along x.
WarpAccess one_place() {
    WarpAccess warp;
    warp.stride_bytes = {0, 0, 0};
    warp.alignment_bytes = 32;
    return warp;
}

Gather along_x(double elements, double stride_bytes) {
    Gather gather;
    gather.by_data[0] = true;
    gather.elements = elements;
    gather.stride_bytes = stride_bytes;
    return gather;
}

TEST(Gather, FromOneElementIsNoMoreThanOneSector) {
    EXPECT_DOUBLE_EQ(gathered_global(kGpu, one_place(), along_x(1, 4096)).sectors, 1);
    EXPECT_DOUBLE_EQ(gathered_shared(kGpu, one_place(), along_x(1, 4096)).transactions, 1);
}

TEST(Gather, FromEverywhereIsTheMeanOfOneSectorAndOneForEachLane) {
    EXPECT_NEAR(gathered_global(kGpu, one_place(), along_x(1e9, 4096)).sectors, std::sqrt(32.0),
                1e-3);
}

// x % 32 of rows that lie side by side, and of rows far apart: nothing is left to chance.
TEST(Gather, ByAPatternGoesWhereverItCan) {
    const auto sectors = [](double elements, double stride_bytes) {
        Gather gather = along_x(elements, stride_bytes);
        gather.is_pattern = true;
        return gathered_global(kGpu, one_place(), gather).sectors;
    };
    EXPECT_DOUBLE_EQ(sectors(32, 4), 4);
    EXPECT_DOUBLE_EQ(sectors(32, 192), 32);
    EXPECT_DOUBLE_EQ(sectors(2, 192), 2);
    EXPECT_DOUBLE_EQ(sectors(1e9, 192), 32);
}

// One pass for one sector, eight for 32 lines: passes grow as sectors do.
TEST(Gather, TakesAsManyWavefrontsAsItsSectorsAreSpread) {
    const auto wavefronts = [](double elements) {
        return gathered_global(kGpu, one_place(), along_x(elements, 4096)).wavefronts;
    };
    EXPECT_DOUBLE_EQ(wavefronts(1), 1);
    EXPECT_NEAR(wavefronts(1e9), 1 + (8 - 1) * (std::sqrt(32.0) - 1) / (32 - 1), 1e-3);
    EXPECT_GT(wavefronts(8), 1);
    EXPECT_LT(wavefronts(8), wavefronts(1e9));
}

TEST(Gather, OfAKnownPlaceTakesTheWavefrontsOfThatPlace) {
    WarpAccess column = one_place();
    column.stride_bytes = {0, 128, 0};
    column.threads = {1, 32, 1};
    EXPECT_EQ(gathered_global(kGpu, column, along_x(1, 4096)).wavefronts, 32);
}

TEST(Gather, FromAFewPlanesMeetsThemAll) {
    // 32 draws from 8 miss one with a chance of (7 / 8)^32.
    const double met = 8 * (1 - std::pow(7.0 / 8, 32));
    EXPECT_NEAR(gathered_global(kGpu, one_place(), along_x(8, 4096)).sectors, std::sqrt(met), 1e-9);
}

TEST(Gather, FromASmallTableMeetsItsSectorsOnly) {
    // 16 floats side by side are two sectors.
    EXPECT_NEAR(gathered_global(kGpu, one_place(), along_x(16, 4)).sectors, std::sqrt(2.0), 1e-6);
}

TEST(Gather, CountsWhatTheLanesDoBesides) {
    // Neighbours' floats, in one of 1e9 planes each: four sectors at best, 32 at worst.
    WarpAccess row = one_place();
    row.stride_bytes = {4, 0, 0};
    EXPECT_NEAR(gathered_global(kGpu, row, along_x(1e9, 4096)).sectors, std::sqrt(4.0 * 32), 1e-3);
    EXPECT_EQ(gathered_shared(kGpu, row, along_x(1, 4)).transactions, 1) << "no conflict";
}

TEST(Gather, IsDecidedOnceForLanesThatDataTakesAlong) {
    // Two channels of 16 cells, of which data decides the plane: a sector has four cells with both
    // channels, or eight with one, and the fewer cells there are the fewer planes they meet.
    WarpAccess cells = one_place();
    cells.threads = {2, 16, 1};
    cells.stride_bytes = {4, 8, 0};
    WarpAccess channels_apart = cells;
    channels_apart.stride_bytes = {1 << 20, 4, 0};
    Gather planes = along_x(12, 1 << 20);
    planes.by_data = {false, true, false};
    const auto sectors = [](double cells_of_sector) {
        const double met = 12 * (1 - std::pow(11.0 / 12, cells_of_sector));
        return std::sqrt(4.0 * std::min(4 * met, 32.0));
    };
    EXPECT_NEAR(gathered_global(kGpu, cells, planes).sectors, sectors(4), 1e-6);
    EXPECT_NEAR(gathered_global(kGpu, channels_apart, planes).sectors, sectors(8), 1e-6);
}

TEST(Gather, InSharedMemoryConflictsTheMoreTheMoreThereIsToRead) {
    double before = 0;
    for (double elements : {1., 2., 8., 32., 1e6}) {
        const double passes = gathered_shared(kGpu, one_place(), along_x(elements, 4)).transactions;
        EXPECT_GT(passes, before);
        before = passes;
    }
    const double noise = scattered_shared(kGpu, one_place(), along_x(1e6, 4)).transactions;
    EXPECT_NEAR(before, std::sqrt(noise), 1e-3);
}

// The means of 4,000 warps of random draws.
TEST(Gather, OfFewElementsHasManyLanesAtOne) {
    const std::pair<double, double> simulated[] = {{1, 32},   {2, 18.26}, {4, 10.98},
                                                   {8, 7.05}, {16, 4.81}, {32, 3.54}};
    for (const auto &[elements, lanes] : simulated) {
        const double found = lanes_at_one_element(kGpu, one_place(), along_x(elements, 4));
        EXPECT_NEAR(found, lanes, 0.12 * lanes) << elements;
    }
    EXPECT_LT(lanes_at_one_element(kGpu, one_place(), along_x(256, 4)), 2);
    WarpAccess row = one_place();
    row.stride_bytes = {4, 0, 0};
    EXPECT_EQ(lanes_at_one_element(kGpu, row, along_x(2, 4096)), 1) << "each has its column";
    Gather pattern = along_x(8, 4);
    pattern.is_pattern = true;
    EXPECT_EQ(lanes_at_one_element(kGpu, one_place(), pattern), 4);
}

}  // namespace
}  // namespace autoschedule_gpu
