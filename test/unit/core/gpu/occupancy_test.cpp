#include "core/gpu/occupancy.h"

#include <gtest/gtest.h>

#include "core/support/random.h"

namespace autoschedule_gpu {
namespace {

constexpr OccupancyLimit kWarps = OccupancyLimit::warps;
constexpr OccupancyLimit kBlocks = OccupancyLimit::blocks;
constexpr OccupancyLimit kRegisters = OccupancyLimit::registers;
constexpr OccupancyLimit kShared = OccupancyLimit::shared_memory;

struct Case {
    const char *gpu;
    int64_t threads, registers, shared_bytes;
    int64_t blocks, warps;
    OccupancyLimit limit;
};

// Worked out by hand from NVIDIA's published tables; the arithmetic stands beside each line.
constexpr Case kCases[] = {
    // 7.0: 64 warps, 32 blocks, 96 KiB in units of 256
    {"V100", 256, 32, 0, 8, 64, kWarps},       // 64 / 8
    {"V100", 256, 64, 0, 4, 32, kRegisters},   // 65536 / 2048 = 32 warps
    {"V100", 256, 33, 0, 6, 48, kRegisters},   // 1056 -> 1280; 51 -> 48 warps
    {"V100", 32, 16, 0, 32, 32, kBlocks},      // 64 by warps
    {"V100", 128, 32, 12288, 8, 32, kShared},  // 98304 / 12288
    {"V100", 128, 32, 12289, 7, 28, kShared},  // 12544; 7.8
    {"V100", 1024, 32, 49152, 2, 64, kWarps},  // warps and shared alike
    {"V100", 1024, 64, 0, 1, 32, kRegisters},  // 32 warps
    {"V100", 96, 40, 0, 16, 48, kRegisters},   // 1280; 51 -> 48 warps; 48 / 3
    {"V100", 33, 16, 0, 32, 64, kWarps},       // two warps each
    // 7.5: 32 warps, 16 blocks, 64 KiB in units of 256
    {"RTX2080Ti", 128, 32, 8448, 7, 28, kShared},  // 65536 / 8448 = 7.76
    {"RTX2080Ti", 64, 128, 0, 8, 16, kRegisters},  // 65536 / 4096 = 16 warps
    {"RTX2080Ti", 32, 32, 0, 16, 16, kBlocks},
    {"RTX2080Ti", 1024, 64, 0, 1, 32, kWarps},
    // 8.0: 64 warps, 32 blocks, 164 KiB in units of 128, 1 KiB reserved
    {"A100", 256, 32, 0, 8, 64, kWarps},
    {"A100", 256, 32, 20480, 7, 56, kShared},  // 167936 / 21504 = 7.8
    {"A100", 128, 40, 49152, 3, 12, kShared},  // 167936 / 50176 = 3.3
    {"A100", 512, 48, 0, 2, 32, kRegisters},   // 1536; 42 -> 40 warps; 2.5
    {"A100", 32, 32, 4096, 32, 32, kBlocks},   // 32.8 by shared
    {"A100", 32, 32, 4225, 31, 31, kShared},   // 5249 -> 5376; 31.2
    // 8.6: 48 warps, 16 blocks, 100 KiB
    {"RTX3090", 256, 32, 0, 6, 48, kWarps},
    {"RTX3090", 1024, 32, 0, 1, 32, kWarps},      // a second block would need 64 warps
    {"RTX3090", 64, 32, 0, 16, 32, kBlocks},      // 24 by warps
    {"RTX3090", 128, 32, 8192, 11, 44, kShared},  // 102400 / 9216 = 11.1
    {"RTX3090", 256, 64, 0, 4, 32, kRegisters},
    // 8.9: 48 warps, 24 blocks, 100 KiB
    {"RTX4090", 64, 32, 0, 24, 48, kWarps},
    {"RTX4090", 32, 32, 0, 24, 24, kBlocks},
    {"RTX4090", 192, 40, 0, 8, 48, kWarps},      // 48 warps by registers too
    {"RTX4090", 192, 48, 0, 6, 36, kRegisters},  // 42 -> 40 warps; 6.7
    // 9.0: 64 warps, 32 blocks, 228 KiB
    {"H100", 1024, 32, 49152, 2, 64, kWarps},
    {"H100", 128, 32, 32768, 6, 24, kShared},  // 233472 / 33792 = 6.9
    {"H100", 384, 168, 0, 1, 12, kRegisters},  // 5376; 12 warps
    {"H100", 256, 255, 0, 1, 8, kRegisters},   // 8160 -> 8192; 8 warps
};

TEST(Occupancy, AgreesWithTheCalculatorOnEveryArchitecture) {
    for (const Case &c : kCases) {
        const GpuModel model = find_preset(c.gpu).value();
        const Occupancy o = occupancy(model, c.threads, c.registers, c.shared_bytes);
        SCOPED_TRACE(std::string(c.gpu) + " " + std::to_string(c.threads) + " threads, " +
                     std::to_string(c.registers) + " registers, " + std::to_string(c.shared_bytes) +
                     " bytes");
        EXPECT_EQ(o.blocks_per_sm, c.blocks);
        EXPECT_EQ(o.active_warps_per_sm, c.warps);
        EXPECT_EQ(to_string(o.limit), to_string(c.limit));
        EXPECT_DOUBLE_EQ(o.warp_occupancy, static_cast<double>(c.warps) /
                                               static_cast<double>(model.max_warps_per_sm));
    }
}

// Sioutas et al. 2020: 7.5, 64 KiB of shared memory, 64 registers, 512 threads, 2048 bytes.
TEST(Occupancy, OfTheExampleOfSioutasIsFull) {
    const Occupancy o = occupancy(find_preset("RTX2080Ti").value(), 512, 64, 2048);
    EXPECT_EQ(o.blocks_per_sm, 2);
    EXPECT_EQ(o.warp_occupancy, 1.0);
}

TEST(Occupancy, IsZeroForWhatCannotBeLaunchedAndNamesTheResource) {
    const GpuModel model = find_preset("A100").value();
    const struct {
        int64_t threads, registers, shared_bytes;
        OccupancyLimit limit;
    } cases[] = {{1025, 32, 0, kWarps},       {0, 32, 0, kWarps},      {-1, 32, 0, kWarps},
                 {256, 32, 49153, kShared},   {256, 32, -1, kShared},  {1024, 72, 0, kRegisters},
                 {256, 65537, 0, kRegisters}, {256, -1, 0, kRegisters}};
    for (const auto &c : cases) {
        const Occupancy o = occupancy(model, c.threads, c.registers, c.shared_bytes);
        EXPECT_EQ(o.blocks_per_sm, 0) << c.threads << " " << c.registers << " " << c.shared_bytes;
        EXPECT_EQ(o.active_warps_per_sm, 0);
        EXPECT_EQ(o.warp_occupancy, 0.0);
        EXPECT_EQ(to_string(o.limit), to_string(c.limit));
    }
}

TEST(Occupancy, WithUnknownRegistersIsLimitedByTheRestOnly) {
    EXPECT_EQ(occupancy(find_preset("V100").value(), 256, 0, 0).blocks_per_sm, 8);
}

TEST(Occupancy, OnADeviceWithoutSharedMemoryNeedsNone) {
    GpuModel model = find_preset("opencl-generic").value();
    model.shared_bytes_per_sm = 0;
    model.shared_bytes_per_block = 0;
    EXPECT_GT(occupancy(model, 64, 32, 0).blocks_per_sm, 0);
    EXPECT_EQ(occupancy(model, 64, 32, 4).blocks_per_sm, 0);
}

TEST(Occupancy, NeverGrowsWithTheDemand) {
    Random random(1);
    for (const std::string &name : preset_names()) {
        const GpuModel model = find_preset(name).value();
        for (int i = 0; i < 2000; i++) {
            const int64_t threads = random.between(1, model.max_threads_per_block);
            const int64_t registers = random.between(1, 255);
            const int64_t bytes = random.between(0, model.shared_bytes_per_block);
            const int64_t blocks = occupancy(model, threads, registers, bytes).blocks_per_sm;
            EXPECT_LE(occupancy(model, threads + 32, registers, bytes).blocks_per_sm, blocks);
            EXPECT_LE(occupancy(model, threads, registers + 8, bytes).blocks_per_sm, blocks);
            EXPECT_LE(occupancy(model, threads, registers, bytes + 256).blocks_per_sm, blocks);
        }
    }
}

TEST(OccupancyLimit, HasANameEach) {
    EXPECT_EQ(to_string(kWarps), "warps");
    EXPECT_EQ(to_string(kBlocks), "blocks");
    EXPECT_EQ(to_string(kRegisters), "registers");
    EXPECT_EQ(to_string(kShared), "shared memory");
}

}  // namespace
}  // namespace autoschedule_gpu
