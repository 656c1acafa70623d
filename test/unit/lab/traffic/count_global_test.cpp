// Global memory, counted by hand. Floats of 4 bytes, sectors of 32 bytes, warps of 32.
#include <gtest/gtest.h>

#include "unit/lab/traffic/code_builder.h"

namespace autoschedule_gpu {
namespace {

using namespace test;
using lowered::BufferId;

// out[i] = in[at(i)] for the 4096 elements i of 32 blocks of 128 threads.
KernelTraffic copy(const std::function<E(E)> &at, int64_t input_elements, double work = 1e12) {
    CodeBuilder c;
    const BufferId in = c.global("in", {input_elements}), out = c.global("out", {4096});
    c.blocks(0, 32, [&](E block) {
        c.threads(0, 128, [&](E thread) {
            const E i = block * 128 + thread;
            c.store(out, i, c.load(in, at(i)));
        });
    });
    return c.traffic(work);
}

TEST(CountGlobal, ACopyMovesEveryByteOnce) {
    const KernelTraffic k = copy([](E i) { return i; }, 4096);
    EXPECT_EQ(k.footprint_load_bytes, 4096 * 4);
    EXPECT_EQ(k.footprint_store_bytes, 4096 * 4);
    EXPECT_EQ(k.access_load_bytes, 4096 * 4);
    EXPECT_EQ(k.access_store_bytes, 4096 * 4);
    // 128 warps, 32 lanes * 4 bytes = 4 sectors each.
    EXPECT_EQ(k.transaction_load_bytes, 128 * 4 * 32);
    EXPECT_EQ(k.transaction_store_bytes, 128 * 4 * 32);
    EXPECT_EQ(k.global_load_wavefronts, 128);
    EXPECT_EQ(k.global_store_wavefronts, 128);
    EXPECT_EQ(k.active_lane_share(), 1);
    EXPECT_EQ(k.launches, 1);
    EXPECT_EQ(k.blocks, (std::array<int64_t, 3>{32, 1, 1}));
    EXPECT_EQ(k.threads, (std::array<int64_t, 3>{128, 1, 1}));
    EXPECT_TRUE(k.exact);
    EXPECT_FALSE(k.data_dependent);
}

TEST(CountGlobal, ACopyThatIsOffByOneTouchesAFifthSectorPerWarp) {
    const KernelTraffic k = copy([](E i) { return i + 1; }, 4097);
    EXPECT_EQ(k.footprint_load_bytes, 4096 * 4);
    EXPECT_EQ(k.transaction_load_bytes, 128 * 5 * 32);
    EXPECT_EQ(k.transaction_store_bytes, 128 * 4 * 32);
}

TEST(CountGlobal, AStrideOfTwoHalvesTheUseOfASector) {
    const KernelTraffic k = copy([](E i) { return i * 2; }, 8192);
    EXPECT_EQ(k.footprint_load_bytes, 4096 * 4);
    EXPECT_EQ(k.access_load_bytes, 4096 * 4);
    EXPECT_EQ(k.transaction_load_bytes, 128 * 8 * 32);
    // Two words in each second bank.
    EXPECT_EQ(k.global_load_wavefronts, 128 * 2);
    EXPECT_EQ(k.global_store_wavefronts, 128);
}

TEST(CountGlobal, HalfAnElementPerLaneIsReadTwice) {
    // Upsampling: two neighbours read the same element, 16 elements or 2 sectors per warp.
    const KernelTraffic k = copy([](E i) { return i / 2; }, 2048);
    EXPECT_EQ(k.footprint_load_bytes, 2048 * 4);
    EXPECT_EQ(k.access_load_bytes, 4096 * 4);
    EXPECT_EQ(k.transaction_load_bytes, 128 * 2 * 32);
}

TEST(CountGlobal, OneElementForAllIsOneSectorPerWarp) {
    const KernelTraffic k = copy([](E i) { return i * 0 + 7; }, 4096);
    EXPECT_EQ(k.footprint_load_bytes, 4);
    EXPECT_EQ(k.access_load_bytes, 4096 * 4);
    EXPECT_EQ(k.transaction_load_bytes, 128 * 32);
}

TEST(CountGlobal, ATransposedCopyTouchesASectorPerLane) {
    // 128 x 128, blocks of 32 x 8 threads: lanes run along y of the input, 512 bytes apart.
    CodeBuilder c;
    const BufferId in = c.global("in", {128, 128}), out = c.global("out", {128, 128});
    c.blocks(1, 16, [&](E by) {
        c.blocks(0, 4, [&](E bx) {
            c.threads(1, 8, [&](E ty) {
                c.threads(0, 32, [&](E tx) {
                    const E x = bx * 32 + tx, y = by * 8 + ty;
                    c.store(out, y * 128 + x, c.load(in, x * 128 + y));
                });
            });
        });
    });
    const KernelTraffic k = c.traffic();
    EXPECT_EQ(k.footprint_load_bytes, 128 * 128 * 4);
    // 16384 elements are 512 warps: 32 sectors for the load, 4 for the store.
    EXPECT_EQ(k.transaction_load_bytes, 512 * 32 * 32);
    EXPECT_EQ(k.transaction_store_bytes, 512 * 4 * 32);
    // The words of a load are all in one bank.
    EXPECT_EQ(k.global_load_wavefronts, 512 * 32);
    EXPECT_EQ(k.global_store_wavefronts, 512);
}

// A 3x3 stencil, blocks of 32 x 8; the input has a border of one element: rows of 258 floats, or
// 1032 bytes, so that row y begins at byte 8 * y of a sector (modulo 32).
CodeBuilder stencil() {
    CodeBuilder c;
    const BufferId in = c.global("in", {258, 130}), out = c.global("out", {256, 128});
    c.blocks(1, 16, [&](E by) {
        c.blocks(0, 8, [&](E bx) {
            c.threads(1, 8, [&](E ty) {
                c.threads(0, 32, [&](E tx) {
                    const E x = bx * 32 + tx, y = by * 8 + ty;
                    E sum = c.load(in, y * 258 + x);
                    for (int64_t tap = 1; tap < 9; tap++) {
                        const E next = c.load(in, (y + tap / 3) * 258 + x + tap % 3);
                        sum = c.op(lowered::Op::add, kFloat32, {sum, next});
                    }
                    c.store(out, y * 256 + x, sum);
                });
            });
        });
    });
    return c;
}

TEST(CountGlobal, AStencilAsksForNineLoadsPerElement) {
    CodeBuilder c = stencil();
    const KernelTraffic k = c.traffic();
    const int64_t elements = 256 * 128;
    EXPECT_EQ(k.footprint_load_bytes, 258 * 130 * 4);
    EXPECT_EQ(k.access_load_bytes, elements * 9 * 4);
    // A warp reads 128 bytes from byte 4 * dx + 8 * (y + dy) of a sector on: 4 sectors if that is
    // a multiple of 32, else 5. dx of 0 and 2 are 0 and 8, so that they hit a multiple for one of
    // four rows each; dx = 1 never does. Rows y + dy for y of 128 rows and three dy: 32 of 128
    // each.
    const int64_t warps_per_tap = elements / 32;
    const int64_t hits = 2 * 3 * warps_per_tap / 4;
    EXPECT_EQ(k.transaction_load_bytes, (9 * warps_per_tap * 5 - hits) * 32);
    EXPECT_EQ(k.transaction_store_bytes, elements * 4);
    EXPECT_TRUE(k.exact);
}

TEST(CountGlobal, ASampleOfAStencilCountsTheSame) {
    CodeBuilder c = stencil(), again = stencil();
    const KernelTraffic all = c.traffic(), sampled = again.traffic(1e5);
    EXPECT_FALSE(sampled.exact);
    EXPECT_EQ(sampled.footprint_load_bytes, all.footprint_load_bytes);
    EXPECT_EQ(sampled.footprint_store_bytes, all.footprint_store_bytes);
    EXPECT_EQ(sampled.access_load_bytes, all.access_load_bytes);
    EXPECT_EQ(sampled.transaction_load_bytes, all.transaction_load_bytes);
    EXPECT_EQ(sampled.transaction_store_bytes, all.transaction_store_bytes);
}

TEST(CountGlobal, ClampedBordersReadNoFurther) {
    // repeat_edge: the input is as large as the output.
    const KernelTraffic k = copy([](E i) { return i.builder->clamp(i - 3, 0, 4095); }, 4096);
    EXPECT_EQ(k.footprint_load_bytes, 4093 * 4);
    EXPECT_EQ(k.access_load_bytes, 4096 * 4);
}

TEST(CountGlobal, GuardedTailsOfBlocksMoveNothing) {
    // 100 elements in blocks of 64: the second block has 36 threads at work, 32 + 4.
    CodeBuilder c;
    const BufferId in = c.global("in", {100}), out = c.global("out", {100});
    c.blocks(0, 2, [&](E block) {
        c.threads(0, 64, [&](E thread) {
            const E i = block * 64 + thread;
            c.if_then(i < 100, [&] { c.store(out, i, c.load(in, i)); });
        });
    });
    const KernelTraffic k = c.traffic();
    EXPECT_EQ(k.footprint_load_bytes, 400);
    EXPECT_EQ(k.access_load_bytes, 400);
    EXPECT_EQ(k.transaction_load_bytes, (3 * 4 + 1) * 32);  // 4 floats are half a sector
    EXPECT_EQ(k.global_loads, 100);
    EXPECT_EQ(k.global_stores, 100);
    // All threads of both blocks multiply, add and compare; a warp of each block and one lane of
    // eight of another load and store, and the last is masked off.
    EXPECT_EQ(k.other_operations, 3 * 128);
    EXPECT_EQ(k.active_lane_share(), (3 * 128.0 + 200) / (3 * 128 + 2 * 128));
    EXPECT_EQ(k.block_instructions, 2 * (3 + 2));
}

TEST(CountGlobal, AWideLoadIsOneInstruction) {
    // 32 lanes of four floats: 16 sectors at once; one float at a time: 4 * 16 sectors.
    const auto copy_four = [](int elements_per_instruction) {
        CodeBuilder c;
        const BufferId in = c.global("in", {1024}), out = c.global("out", {1024});
        c.blocks(0, 8, [&](E block) {
            c.threads(0, 32, [&](E thread) {
                const E at = c.ramp((block * 32 + thread) * 4, 4);
                c.store(out, at, c.load(in, at, elements_per_instruction),
                        elements_per_instruction);
            });
        });
        return c.traffic();
    };
    EXPECT_EQ(copy_four(4).access_load_bytes, 4096);
    EXPECT_EQ(copy_four(4).transaction_load_bytes, 8 * 16 * 32);
    EXPECT_EQ(copy_four(1).access_load_bytes, 4096);
    EXPECT_EQ(copy_four(1).transaction_load_bytes, 8 * 4 * 16 * 32);
    EXPECT_EQ(copy_four(1).footprint_store_bytes, 4096);
}

TEST(CountGlobal, IndicesFromDataAreSpreadAndMarked) {
    // out[i] = table[index[i]] with indices of 8 bits.
    CodeBuilder c;
    const BufferId index = c.global("index", {4096}, 1), table = c.global("table", {256}),
                   out = c.global("out", {4096});
    constexpr lowered::Type kByte = {lowered::Type::Kind::natural, 8, 1};
    c.blocks(0, 32, [&](E block) {
        c.threads(0, 128, [&](E thread) {
            const E i = block * 128 + thread;
            c.let(c.load(index, i, 1, kByte), [&](E entry) {
                const E at = c.op(lowered::Op::cast, kInt32, {entry});
                c.store(out, i, c.load(table, at));
            });
        });
    });
    const KernelTraffic k = c.traffic();
    EXPECT_TRUE(k.data_dependent);
    EXPECT_EQ(k.access_load_bytes, 4096 * (1 + 4));
    // 4096 draws leave none of 256 entries out, but for luck: 256 * exp(-16) = 0.00003.
    EXPECT_EQ(k.footprint_load_bytes, 4096 + 256 * 4);
    // 32 draws from 32 sectors of the table hit 32 * (1 - exp(-1)) = 20 of them.
    const double sectors = (k.transaction_load_bytes - 4096) / 32 / 128;
    EXPECT_NEAR(sectors, 20.2, 0.7);
}

TEST(CountGlobal, AtomicsLoadAndStoreEveryTime) {
    CodeBuilder c;
    const BufferId sum = c.global("sum", {1});
    c.blocks(0, 2, [&](E) {
        c.threads(0, 32, [&](E) {
            c.serial(10, [&](E) {
                const E zero = c.constant(0);
                E value = c.load(sum, zero);
                c.code.exprs[value.id.index()].atomic = true;
                c.store_atomic(sum, zero, value);
            });
        });
    });
    const KernelTraffic k = c.traffic();
    EXPECT_EQ(k.access_load_bytes, 2 * 32 * 10 * 4);
    EXPECT_EQ(k.access_store_bytes, 2 * 32 * 10 * 4);
    EXPECT_EQ(k.footprint_store_bytes, 4);
    EXPECT_EQ(k.atomic_operations, 2 * 32 * 10);
    EXPECT_EQ(k.atomic_sectors, 2 * 10);
    EXPECT_EQ(k.atomic_bytes, 2 * 10 * 4) << "lanes name one element";
}

}  // namespace
}  // namespace autoschedule_gpu
