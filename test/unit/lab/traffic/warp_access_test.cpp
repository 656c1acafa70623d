#include "lab/traffic/warp_access.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/gpu/memory_access.h"
#include "unit/core/gpu/lane_simulation.h"

namespace autoschedule_gpu {
namespace {

std::vector<int64_t> every(int64_t stride_bytes, int64_t first = 0, int64_t lanes = 32) {
    std::vector<int64_t> addresses;
    for (int64_t lane = 0; lane < lanes; lane++) addresses.push_back(first + lane * stride_bytes);
    return addresses;
}

TEST(WarpAccess, CountsTheSectorsOfFloats) {
    EXPECT_EQ(touched_sectors({every(4)}, {}).size(), 4u);
    EXPECT_EQ(touched_sectors({every(4, 4)}, {}).size(), 5u);
    EXPECT_EQ(touched_sectors({every(4, -4)}, {}).size(), 5u);
    EXPECT_EQ(touched_sectors({every(8)}, {}).size(), 8u);
    EXPECT_EQ(touched_sectors({every(0)}, {}).size(), 1u);
    EXPECT_EQ(touched_sectors({every(4096)}, {}).size(), 32u);
    EXPECT_EQ(touched_sectors({every(-4, 124)}, {}).size(), 4u);
}

TEST(WarpAccess, CountsTheSectorsOfWideElements) {
    EXPECT_EQ(touched_sectors({every(16), 16}, {}).size(), 16u);
    // 16 bytes from byte 24 on are in two sectors.
    EXPECT_EQ(touched_sectors({every(0, 24), 16}, {}).size(), 2u);
    EXPECT_EQ(touched_sectors({every(1), 1}, {}).size(), 1u);
}

TEST(WarpAccess, CountsThePassesThroughTheBanks) {
    EXPECT_EQ(wavefronts({every(4)}, {}), 1);
    EXPECT_EQ(wavefronts({every(0)}, {}), 1);
    EXPECT_EQ(wavefronts({every(8)}, {}), 2);
    EXPECT_EQ(wavefronts({every(128)}, {}), 32);
    EXPECT_EQ(wavefronts({every(132)}, {}), 1);
    EXPECT_EQ(wavefronts({every(2), 2}, {}), 1);
    EXPECT_EQ(wavefronts({every(8), 8}, {}), 2);
    EXPECT_EQ(wavefronts({every(16), 16}, {}), 4);
}

TEST(WarpAccess, PairsThatWantTheSameHalveTheTurnsOfWideLoadsOfSharedMemory) {
    // Lanes whose numbers differ in that bit alone want the same of elements side by side.
    const auto pairs = [](int64_t bit) {
        std::vector<int64_t> addresses;
        for (int64_t lane = 0; lane < 32; lane++) {
            addresses.push_back((lane / (2 * bit) * bit + lane % bit) * 16);
        }
        return addresses;
    };
    EXPECT_EQ(wavefronts({every(0), 16}, {}), 2);
    EXPECT_EQ(wavefronts({every(0), 8}, {}), 1);
    EXPECT_EQ(wavefronts({every(0), 4}, {}), 1);
    EXPECT_EQ(wavefronts({pairs(1), 16}, {}), 2);
    EXPECT_EQ(wavefronts({pairs(2), 16}, {}), 2);
    EXPECT_EQ(wavefronts({pairs(4), 16}, {}), 4);
}

TEST(WarpAccess, CountsNoMoreThanFourLinesOfGlobalMemoryInAPass) {
    EXPECT_EQ(global_wavefronts({every(4)}, {}), 1);
    EXPECT_EQ(global_wavefronts({every(0)}, {}), 1);
    EXPECT_EQ(global_wavefronts({every(8)}, {}), 2);
    EXPECT_EQ(global_wavefronts({every(128)}, {}), 32);
    EXPECT_EQ(global_wavefronts({every(132)}, {}), 8);
    EXPECT_EQ(global_wavefronts({every(132, 0, 5)}, {}), 5.0 / 4);
    EXPECT_EQ(global_wavefronts({every(16), 16}, {}), 4);
    EXPECT_EQ(global_wavefronts({every(0), 16}, {}), 4);
}

// The other way to the same numbers: formulas over strides, which the search uses.
TEST(WarpAccess, AgreesWithTheFormulasWhereAddressesFollowALaw) {
    const GpuModel model = find_preset("A100").value();
    const MemoryUnits units = units_of(model);
    Random random(1);
    for (int i = 0; i < 20000; i++) {
        WarpAccess access = random_access(random);
        access.alignment_bytes = 128;
        const std::vector<int64_t> addresses = simulated_addresses(model, access);
        const WarpLanes lanes{addresses, access.element_bytes};
        ASSERT_DOUBLE_EQ(static_cast<double>(touched_sectors(lanes, units).size()),
                         global_access(model, access).sectors);
        ASSERT_DOUBLE_EQ(static_cast<double>(wavefronts(lanes, units)),
                         shared_access(model, access).transactions);
        ASSERT_DOUBLE_EQ(global_wavefronts(lanes, units), global_access(model, access).wavefronts);
    }
}

}  // namespace
}  // namespace autoschedule_gpu
