// Loops around and inside kernels, values that stay in registers, and what is refused.
#include <gtest/gtest.h>

#include "core/gpu/gpu_model.h"
#include "core/gpu/memory_access.h"
#include "core/lowered/loop_names.h"
#include "unit/lab/traffic/code_builder.h"

namespace autoschedule_gpu {
namespace {

using namespace test;
using lowered::BufferId;

// product[x, y] = sum over k of a[k, y] * b[x, k]; `n` is a multiple of 32.
CodeBuilder mat_mul(int64_t n) {
    CodeBuilder c;
    const BufferId a = c.global("a", {n, n}), b = c.global("b", {n, n}), p = c.global("p", {n, n});
    c.blocks(1, n / 8, [&](E by) {
        c.blocks(0, n / 32, [&](E bx) {
            c.threads(1, 8, [&](E ty) {
                c.threads(0, 32, [&](E tx) {
                    const E x = bx * 32 + tx, y = by * 8 + ty;
                    c.serial(n, [&](E k) {
                        const E factor = c.op(lowered::Op::multiply, kFloat32,
                                              {c.load(a, y * n + k), c.load(b, k * n + x)});
                        c.store(p, y * n + x,
                                c.op(lowered::Op::add, kFloat32, {c.load(p, y * n + x), factor}));
                    });
                });
            });
        });
    });
    return c;
}

void expect_mat_mul(const KernelTraffic &k, double n) {
    // Each of n * n threads reads n elements of a and of b. It adds in a register: its element of
    // the product is loaded before the loop and stored behind it.
    EXPECT_DOUBLE_EQ(k.access_load_bytes, n * n * n * 2 * 4 + n * n * 4);
    EXPECT_DOUBLE_EQ(k.access_store_bytes, n * n * 4);
    EXPECT_DOUBLE_EQ(k.footprint_load_bytes, 3 * n * n * 4);
    EXPECT_DOUBLE_EQ(k.footprint_store_bytes, n * n * 4);
    // Per warp and k: one sector of a, for all lanes want the same element, and four of b.
    EXPECT_DOUBLE_EQ(k.transaction_load_bytes, n * n / 32 * (n * (1 + 4) + 4) * 32);
}

enum class Guard : uint8_t { none, of_block, of_thread };

// Four loads of each thread, each under a condition of its own or not.
KernelTraffic four_copies(Guard guard) {
    CodeBuilder c;
    const BufferId in = c.global("in", {128}), out = c.global("out", {128});
    c.blocks(0, 1, [&](E b) {
        c.threads(0, 32, [&](E t) {
            for (int64_t step = 0; step < 4; ++step) {
                const E at = t + 32 * step;
                const auto copy = [&] { c.store(out, at, c.load(in, at)); };
                if (guard == Guard::none) copy();
                if (guard == Guard::of_block) c.if_then(b + step < 4, copy);
                if (guard == Guard::of_thread) c.if_then(at < 120, copy);
            }
        });
    });
    return c.traffic();
}

TEST(CountLoops, ALoadBehindABranchWaitsForTheLoadsBefore) {
    EXPECT_EQ(four_copies(Guard::none).waits, 0);
    EXPECT_EQ(four_copies(Guard::of_thread).waits, 0);
    EXPECT_EQ(four_copies(Guard::of_block).waits, 3);
    EXPECT_EQ(four_copies(Guard::of_block).global_waits, 3);
}

// Returns how many loads wait in four steps of a scan that are written out: what the one before has
// stored stays in a register. The only iteration of a loop stands for a distance between steps that
// is known at run time only.
double waits_of_steps(const std::function<E(E thread, E stride, int64_t step)> &address) {
    CodeBuilder c;
    const BufferId in = c.global("in", {128}), sum = c.global("sum", {128});
    c.blocks(0, 1, [&](E) {
        c.threads(0, 32, [&](E t) {
            c.serial(1, [&](E zero) {
                const E stride = zero + 32;
                c.store(sum, t, c.load(in, t));
                for (int64_t step = 1; step < 4; ++step) {
                    const E before = c.load(sum, t + 32 * (step - 1));
                    const E value = c.load(in, address(t, stride, step));
                    c.store(sum, t + 32 * step, before + value);
                }
            });
        });
    });
    return c.traffic().global_waits;
}

TEST(CountLoops, LoadsOfAStepOfAScanWaitForThoseOfTheStepBefore) {
    EXPECT_EQ(waits_of_steps([](E t, E stride, int64_t step) { return t + stride * step; }), 3);
}

TEST(CountLoops, LoadsAConstantAwayFromAnEarlierOneGoAheadOfSteps) {
    EXPECT_EQ(waits_of_steps([](E t, E, int64_t step) { return t + 32 * step; }), 0);
}

TEST(CountLoops, IterationsThatStoreWhereTheyLoadAreOrdered) {
    const auto scan = [](bool in_place) {
        CodeBuilder c;
        const BufferId in = c.global("in", {32 * 9}), other = c.global("other", {32 * 9});
        c.blocks(0, 2, [&](E) {
            c.threads(0, 32, [&](E t) {
                c.serial(8, [&](E i) {
                    c.store(in_place ? in : other, t + i * 32, c.load(in, t + (i + 1) * 32));
                });
            });
        });
        return c.traffic();
    };
    EXPECT_EQ(scan(true).ordered_iterations, 16);
    EXPECT_EQ(scan(false).ordered_iterations, 0);
    EXPECT_EQ(scan(false).serial_iterations, 16);
    EXPECT_EQ(scan(false).loop_entries, 2);
}

// Returns the traffic of a scan over 16 rows of `in`: from a step to the next, what it has stored
// in `sum`; or, in place, what somebody else has.
KernelTraffic scan_of_rows(bool in_place) {
    CodeBuilder c;
    const BufferId in = c.global("in", {32 * 17}), sum = c.global("sum", {32 * 17});
    c.blocks(0, 1, [&](E) {
        c.threads(0, 32, [&](E t) {
            c.serial(16, [&](E i) {
                const E before = c.load(sum, t + (in_place ? i + 1 : i) * 32);
                c.store(sum, t + (i + 1) * 32, before + c.load(in, t + i * 32));
            });
        });
    });
    return c.traffic();
}

TEST(CountLoops, AScanReadsNothingFromDramThatItHasStored) {
    EXPECT_EQ(scan_of_rows(true).cached_load_bytes, 0);
    const KernelTraffic scan = scan_of_rows(false);
    EXPECT_GT(scan.cached_load_bytes, 0);
    EXPECT_EQ(scan.footprint_load_bytes - scan.cached_load_bytes, 16 * 128);
}

// A row of 32 floats, and four times the same one.
TEST(CountLoops, ALoadThatAsksForNothingNewIsInNoNewGroup) {
    const auto loads = [](bool same) {
        CodeBuilder c;
        const BufferId in = c.global("in", {32 * 4}), out = c.global("out", {32 * 4});
        c.blocks(0, 2, [&](E) {
            c.threads(0, 32, [&](E t) {
                c.serial(4, [&](E i) {
                    const E row = same ? i - i : i;
                    c.store(out, t + i * 32, c.load(in, t + row * 32));
                });
            });
        });
        return c.traffic();
    };
    EXPECT_EQ(loads(false).load_groups, 8);
    EXPECT_EQ(loads(false).new_load_groups, 8);
    EXPECT_EQ(loads(true).new_load_groups, 2);
}

TEST(CountLoops, ArraysBetweenKernelsShareTheRoomInL2) {
    // Each of 15 MiB: one of 16 stays, and 28 of all.
    constexpr int64_t kElements = 15 << 18;
    CodeBuilder c;
    const BufferId out = c.global("out", {kElements});
    c.allocate("a", MemoryKind::global, kElements, [&](BufferId a) {
        c.allocate("b", MemoryKind::global, kElements, [&](BufferId b) {
            c.blocks(0, kElements / 32, [&](E block) {
                c.threads(0, 32, [&](E t) {
                    const E at = block * 32 + t;
                    c.store(out, at, c.load(a, at) + c.load(b, at));
                });
            });
        });
    });
    const GpuModel a100 = find_preset("A100").value();
    const KernelTraffic traffic = count_traffic(c.finished(), a100).value()[0];
    EXPECT_EQ(traffic.footprint_load_bytes, 2 * 4 * kElements);
    EXPECT_EQ(traffic.cached_load_bytes, l2_filled_bytes(a100));
}

TEST(CountLoops, SmallArraysBetweenKernelsStayInL2) {
    const auto two_kernels = [](int64_t blocks) {
        CodeBuilder c;
        const BufferId in = c.global("in", {32 * blocks}), out = c.global("out", {32 * blocks});
        c.allocate("between", MemoryKind::global, 32 * blocks, [&](BufferId between) {
            c.blocks(0, blocks, [&](E b) {
                c.threads(0, 32,
                          [&](E t) { c.store(between, b * 32 + t, c.load(in, b * 32 + t)); });
            });
            c.blocks(0, blocks, [&](E b) {
                c.threads(0, 32,
                          [&](E t) { c.store(out, b * 32 + t, c.load(between, b * 32 + t)); });
            });
        });
        return count_traffic(c.finished(), find_preset("A100").value()).value();
    };
    const std::vector<KernelTraffic> small = two_kernels(64);
    EXPECT_EQ(small[0].cached_load_bytes, 0);
    EXPECT_EQ(small[0].cached_store_bytes, 64 * 128);
    EXPECT_EQ(small[1].cached_load_bytes, 64 * 128);
    EXPECT_EQ(small[1].cached_store_bytes, 0);
    // 32 MiB, of 40 that the device has.
    const std::vector<KernelTraffic> large = two_kernels(1 << 18);
    EXPECT_EQ(large[0].cached_store_bytes, 0);
    EXPECT_EQ(large[1].cached_load_bytes, 0);
}

TEST(CountLoops, ANaiveMatrixMultiplyReadsEveryOperandAgain) {
    CodeBuilder c = mat_mul(64);
    const KernelTraffic k = c.traffic();
    expect_mat_mul(k, 64);
    EXPECT_TRUE(k.exact);
}

TEST(CountLoops, ASampleOfALargeMatrixMultiplyCountsTheSame) {
    CodeBuilder c = mat_mul(2048);
    const KernelTraffic k = c.traffic(1e7);
    expect_mat_mul(k, 2048);
    EXPECT_FALSE(k.exact);
}

// A thread adds up every 64th element: the box of what a block loads has eight sectors for each
// that it touches. The same whether all or a sample of the steps is executed.
TEST(CountLoops, ABlockLoadsWhatALongStrideTouches) {
    const auto strided = [](double work) {
        CodeBuilder c;
        const BufferId in = c.global("in", {1 << 20}), out = c.global("out", {8});
        c.blocks(0, 1, [&](E) {
            c.threads(0, 8, [&](E t) {
                c.serial(16384, [&](E step) {
                    c.store(out, t,
                            c.op(lowered::Op::add, kFloat32,
                                 {c.load(out, t), c.load(in, step * 64 + t)}));
                });
            });
        });
        return c.traffic(work);
    };
    for (const double work : {1e12, 1e4}) {
        const KernelTraffic k = strided(work);
        EXPECT_EQ(k.exact, work > 1e9);
        EXPECT_DOUBLE_EQ(k.block_load_bytes, (16384 + 1) * 32);
    }
}

TEST(CountLoops, AHostLoopLaunchesAgainAndAgain) {
    // Row by row: each launch adds the row above to its own, 256 floats in 2 blocks.
    const auto rows = [](int64_t count, double work) {
        CodeBuilder c;
        const BufferId image = c.global("image", {256, 4096});
        c.serial(count, [&](E y) {
            c.blocks(0, 2, [&](E block) {
                c.threads(0, 128, [&](E thread) {
                    const E x = block * 128 + thread;
                    c.store(image, (y + 1) * 256 + x, c.load(image, y * 256 + x));
                });
            });
        });
        return c.traffic(work);
    };
    for (const double work : {1e12, 1e4}) {
        const KernelTraffic k = rows(1000, work);
        EXPECT_EQ(k.exact, work > 1e9);
        EXPECT_DOUBLE_EQ(k.launches, 1000);
        EXPECT_DOUBLE_EQ(k.footprint_load_bytes, 1000 * 256 * 4);
        EXPECT_DOUBLE_EQ(k.access_store_bytes, 1000 * 256 * 4);
        EXPECT_DOUBLE_EQ(k.transaction_store_bytes, 1000 * 256 * 4);
        EXPECT_EQ(k.blocks[0], 2);
    }
}

TEST(CountLoops, AGridDimensionMayStandForTwoCoordinates) {
    // Rows z = b % 30 of channels c = b / 30: regular samples of b would see few of either.
    CodeBuilder c;
    const BufferId out = c.global("out", {64, 30, 50});
    c.blocks(0, 30 * 50, [&](E b) {
        c.threads(0, 64, [&](E t) { c.store(out, b / 30 * (64 * 30) + b % 30 * 64 + t, t); });
    });
    const KernelTraffic k = c.traffic(1);
    EXPECT_FALSE(k.exact);
    EXPECT_EQ(k.footprint_store_bytes, 64 * 30 * 50 * 4);
}

TEST(CountLoops, WhatALoopDoesNotChangeIsLoadedOnce) {
    CodeBuilder c;
    const BufferId bias = c.global("bias", {32}), in = c.global("in", {32, 100}),
                   out = c.global("out", {32, 100});
    c.blocks(0, 1, [&](E) {
        c.threads(0, 32, [&](E t) {
            c.serial(100, [&](E k) {
                c.store(
                    out, k * 32 + t,
                    c.op(lowered::Op::add, kFloat32, {c.load(in, k * 32 + t), c.load(bias, t)}));
            });
        });
    });
    const KernelTraffic k = c.traffic();
    EXPECT_EQ(k.access_load_bytes, (100 * 32 + 32) * 4);
    EXPECT_EQ(k.access_store_bytes, 100 * 32 * 4);
}

TEST(CountLoops, UnrolledNeighboursShareLoads) {
    // Four outputs per thread, three taps each: six elements, not twelve.
    CodeBuilder c;
    const BufferId in = c.global("in", {32, 6}), out = c.global("out", {32, 4});
    c.blocks(0, 1, [&](E) {
        c.threads(0, 32, [&](E t) {
            for (int64_t y = 0; y < 4; y++) {
                E sum = c.load(in, t + y * 32);
                for (int64_t tap = 1; tap < 3; tap++) {
                    sum = c.op(lowered::Op::add, kFloat32, {sum, c.load(in, t + (y + tap) * 32)});
                }
                c.store(out, t + y * 32, sum);
            }
        });
    });
    const KernelTraffic k = c.traffic();
    EXPECT_EQ(k.access_load_bytes, 6 * 32 * 4);
    EXPECT_EQ(k.access_store_bytes, 4 * 32 * 4);
}

TEST(CountLoops, EachThreadMayLoopAsLongAsItLikes) {
    // Thread t adds t elements: 0 + 1 + ... + 31.
    CodeBuilder c;
    const BufferId in = c.global("in", {32, 32}), out = c.global("out", {32, 32});
    c.blocks(0, 1, [&](E) {
        c.threads(0, 32, [&](E t) {
            c.serial(t, [&](E k) { c.store(out, k * 32 + t, c.load(in, k * 32 + t)); });
        });
    });
    EXPECT_EQ(c.traffic().access_load_bytes, 496 * 4);
}

TEST(CountLoops, ALaunchThatDoesNotHappenIsListedWithoutTraffic) {
    CodeBuilder c;
    const BufferId out = c.global("out", {32});
    c.if_then(c.constant(1) < 0, [&] {
        c.blocks(0, 1, [&](E) { c.threads(0, 32, [&](E t) { c.store(out, t, t); }); });
    });
    const KernelTraffic k = c.traffic();
    EXPECT_EQ(k.launches, 0);
    EXPECT_EQ(k.access_store_bytes, 0);
    EXPECT_EQ(k.loop, "f.s0.v.block_id_x");
    EXPECT_EQ(k.name, "_kernel_f_s0_v_block_id_x");
    EXPECT_EQ(k.func, "f");
}

TEST(CountLoops, TheFuncOfALoopMayHaveACounterInItsName) {
    EXPECT_EQ(func_of_loop("blur_y$2.s12.y.y_b.block_id_y"), "blur_y$2");
    EXPECT_EQ(func_of_loop("a.sum.s0.x"), "a.sum");
    EXPECT_EQ(device_function_name("f$1.s0.x.block_id_x"), "_kernel_f__1_s0_x_block_id_x");
}

TEST(CountLoops, AVariableWithoutAValueIsAnError) {
    CodeBuilder c;
    const BufferId out = c.global("out", {32});
    lowered::Expr width;
    width.op = lowered::Op::variable;
    width.variable = c.code.add_variable("width");
    const E unbound{&c, c.code.add(width)};
    c.blocks(0, 1, [&](E) { c.threads(0, 32, [&](E t) { c.store(out, t + unbound, t); }); });
    const auto kernels = count_traffic(c.finished(), find_preset("A100").value());
    ASSERT_FALSE(kernels.ok());
    EXPECT_EQ(kernels.error().message, "kernel f.s0.v.block_id_x: variable width has no value");
}

}  // namespace
}  // namespace autoschedule_gpu
