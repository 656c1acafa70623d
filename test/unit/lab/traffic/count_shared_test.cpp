// Shared memory and arrays of threads, counted by hand: 32 banks of 4 bytes.
#include <gtest/gtest.h>

#include "unit/lab/traffic/code_builder.h"

namespace autoschedule_gpu {
namespace {

using namespace test;
using lowered::BufferId;
using lowered::Op;

// One block of 32 x 8 threads that transposes a tile of 32 x 32 floats through shared memory, whose
// rows are `pitch` floats apart.
KernelTraffic transposed_tile(int64_t pitch) {
    CodeBuilder c;
    const BufferId in = c.global("in", {32, 32}), out = c.global("out", {32, 32});
    c.blocks(0, 1, [&](E) {
        c.allocate("tile", MemoryKind::shared, 32 * pitch, [&](BufferId tile) {
            c.threads(1, 8, [&](E ty) {
                c.threads(0, 32, [&](E tx) {
                    for (int64_t row = 0; row < 32; row += 8) {
                        c.store(tile, (ty + row) * pitch + tx, c.load(in, (ty + row) * 32 + tx));
                    }
                    c.barrier();
                    for (int64_t row = 0; row < 32; row += 8) {
                        c.store(out, (ty + row) * 32 + tx, c.load(tile, tx * pitch + ty + row));
                    }
                });
            });
        });
    });
    return c.traffic();
}

TEST(CountShared, AColumnOfATileOf32BanksConflictsInAllLanes) {
    const KernelTraffic k = transposed_tile(32);
    EXPECT_EQ(k.shared_bytes, 32 * 32 * 4);
    EXPECT_EQ(k.shared_access_bytes, 2 * 1024 * 4);
    // 32 warp stores in one pass each; 32 warp loads whose lanes all want another word of one bank.
    EXPECT_EQ(k.shared_wavefronts, 32 + 32 * 32);
    EXPECT_EQ(k.transaction_load_bytes, 1024 * 4);
    EXPECT_EQ(k.transaction_store_bytes, 1024 * 4);
}

TEST(CountShared, APaddedTileHasNoConflicts) {
    const KernelTraffic k = transposed_tile(33);
    EXPECT_EQ(k.shared_bytes, 32 * 33 * 4);
    EXPECT_EQ(k.shared_wavefronts, 32 + 32);
}

// One block of 32 threads, each of which adds four values to sums in shared memory, where the
// values' own places say, or one after the other.
KernelTraffic four_sums_added_to(bool where_data_says) {
    CodeBuilder c;
    const BufferId in = c.global("in", {128}), out = c.global("out", {32});
    c.blocks(0, 1, [&](E) {
        c.allocate("sums", MemoryKind::shared, 32 * 256, [&](BufferId sums) {
            c.threads(0, 32, [&](E t) {
                for (int64_t step = 0; step < 4; ++step) {
                    const E value = c.load(in, t + 32 * step, 1, kInt32);
                    const E place = where_data_says ? t + value * 32 : t + 32 * step;
                    c.store(sums, place, c.load(sums, place, 1, kInt32) + value);
                }
                c.barrier();
                c.store(out, t, c.load(sums, t, 1, kInt32));
            });
        });
    });
    return c.traffic();
}

TEST(CountShared, ALoadWaitsForTheStoreBeforeWhereTheirPlacesDependOnData) {
    EXPECT_EQ(four_sums_added_to(false).waits, 0);
    EXPECT_EQ(four_sums_added_to(true).waits, 3);
}

// One block of 32 threads, each of which adds four values to one sum, which it loads and stores in
// each step.
template <typename Sum, typename Value>
KernelTraffic four_steps_of(Sum sum_of, Value value_of) {
    CodeBuilder c;
    const BufferId in = c.global("in", {128}), out = c.global("out", {32});
    c.blocks(0, 1, [&](E) {
        c.allocate("tile", MemoryKind::shared, 128, [&](BufferId tile) {
            c.allocate("sums", MemoryKind::shared, 32, [&](BufferId sums) {
                c.threads(0, 32, [&](E t) {
                    const BufferId sum = sum_of(sums, out), values = value_of(tile, in);
                    for (int64_t step = 0; step < 4; ++step) {
                        const E value = c.load(values, t + 32 * step);
                        c.store(sum, t, c.op(Op::add, kFloat32, {c.load(sum, t), value}));
                    }
                });
            });
        });
    });
    return c.traffic();
}

TEST(CountShared, OnlyAnotherArrayOfSharedMemoryMayBeTheOneThatIsStoredTo) {
    const auto shared = [](BufferId first, BufferId) { return first; };
    const auto global = [](BufferId, BufferId second) { return second; };
    EXPECT_EQ(four_steps_of(global, global).global_stores, 32);
    EXPECT_EQ(four_steps_of(global, shared).global_stores, 32);
    EXPECT_EQ(four_steps_of(shared, global).shared_stores, 32);
    EXPECT_EQ(four_steps_of(shared, shared).shared_stores, 4 * 32);
}

TEST(CountShared, AStageWithAHaloIsLoadedOnceAndReadThrice) {
    // Blocks of 64 threads: 66 elements are staged, two of them by the first two threads; each
    // thread then adds three neighbours.
    CodeBuilder c;
    const BufferId in = c.global("in", {1026}), out = c.global("out", {1024});
    c.blocks(0, 16, [&](E block) {
        c.allocate("stage", MemoryKind::shared, 66, [&](BufferId stage) {
            c.threads(0, 64, [&](E t) {
                c.store(stage, t, c.load(in, block * 64 + t));
                c.if_then(t < 2, [&] { c.store(stage, t + 64, c.load(in, block * 64 + t + 64)); });
                c.barrier();
                const E sum =
                    c.op(lowered::Op::add, kFloat32, {c.load(stage, t), c.load(stage, t + 2)});
                c.store(out, block * 64 + t,
                        c.op(lowered::Op::add, kFloat32, {sum, c.load(stage, t + 1)}));
            });
        });
    });
    const KernelTraffic k = c.traffic();
    EXPECT_EQ(k.shared_bytes, 66 * 4);
    EXPECT_EQ(k.footprint_load_bytes, 1026 * 4);
    EXPECT_EQ(k.access_load_bytes, 16 * 66 * 4);
    // Two full warps of 4 sectors and one of two lanes.
    EXPECT_EQ(k.transaction_load_bytes, 16 * (4 + 4 + 1) * 32);
    EXPECT_EQ(k.shared_access_bytes, 16 * (66 + 3 * 64) * 4);
    // Per block 3 warp stores and 3 * 2 warp loads, none with a conflict.
    EXPECT_EQ(k.shared_wavefronts, 16 * (3 + 6));
}

TEST(CountShared, ArraysOfSeveralTypesInOneAllocationAreAccessedEachInItsOwn) {
    // Behind 32 floats lie bytes, four from one thread's to the next's. The index of a byte counts
    // bytes, whatever else is in the allocation.
    constexpr lowered::Type kByte = {lowered::Type::Kind::natural, 8, 1};
    CodeBuilder c;
    const BufferId in = c.global("in", {32}), out = c.global("out", {32}),
                   bytes_in = c.global("bytes_in", {32}, 1),
                   bytes_out = c.global("bytes_out", {32}, 1);
    c.blocks(0, 1, [&](E) {
        c.allocate("both", MemoryKind::shared, 64, [&](BufferId both) {
            c.threads(0, 32, [&](E t) {
                c.store(both, t, c.load(in, t));
                c.store(both, t * 4 + 128, c.load(bytes_in, t, 1, kByte));
                c.barrier();
                c.store(out, t, c.load(both, t));
                c.store(bytes_out, t, c.load(both, t * 4 + 128, 1, kByte));
            });
        });
    });
    const KernelTraffic k = c.traffic();
    EXPECT_EQ(k.shared_bytes, 64 * 4);
    EXPECT_EQ(k.shared_access_bytes, 2 * 32 * (4 + 1));
    EXPECT_EQ(k.shared_wavefronts, 2 * 2);  // each lane has a bank of its own
}

TEST(CountShared, WhatOtherThreadsMayHaveWrittenIsReadAgainBehindABarrier) {
    CodeBuilder c;
    const BufferId out = c.global("out", {32});
    c.blocks(0, 1, [&](E) {
        c.allocate("stage", MemoryKind::shared, 32, [&](BufferId stage) {
            c.threads(0, 32, [&](E t) {
                c.store(out, t, c.load(stage, t));
                c.store(out, t, c.load(stage, t));
                c.barrier();
                c.store(out, t, c.load(stage, t));
            });
        });
    });
    EXPECT_EQ(c.traffic().shared_access_bytes, 2 * 32 * 4);
}

// Each thread sums 8 elements that it has put into an array of its own.
KernelTraffic sum_over_array(bool unrolled) {
    CodeBuilder c;
    const BufferId in = c.global("in", {8 * 64}), out = c.global("out", {64});
    c.blocks(0, 2, [&](E block) {
        c.threads(0, 32, [&](E t) {
            const E i = block * 32 + t;
            c.allocate("array", MemoryKind::local, 8, [&](BufferId array) {
                const auto fill = [&](E k) { c.store(array, k, c.load(in, k * 64 + i)); };
                if (unrolled) {
                    for (int k = 0; k < 8; k++) fill(c.constant(k));
                } else {
                    c.serial(8, fill);
                }
                E sum = c.load(array, c.constant(0));
                for (int k = 1; k < 8; k++) {
                    sum = c.op(lowered::Op::add, kFloat32, {sum, c.load(array, c.constant(k))});
                }
                c.store(out, i, sum);
            });
        });
    });
    return c.traffic();
}

TEST(CountShared, ArraysOfAThreadAreInRegistersWhereIndicesAreConstants) {
    const KernelTraffic k = sum_over_array(true);
    EXPECT_EQ(k.thread_local_bytes, 8 * 4);
    EXPECT_EQ(k.stack_bytes, 0);
    EXPECT_EQ(k.stack_access_bytes, 0);
    EXPECT_EQ(k.access_load_bytes, 64 * 8 * 4);
}

TEST(CountShared, ArraysThatALoopIndexesAreOnTheStack) {
    const KernelTraffic k = sum_over_array(false);
    EXPECT_EQ(k.thread_local_bytes, 8 * 4);
    EXPECT_EQ(k.stack_bytes, 8 * 4);
    EXPECT_EQ(k.stack_access_bytes, 64 * (8 + 8) * 4);
}

}  // namespace
}  // namespace autoschedule_gpu
