#include "lab/traffic/address_form.h"

#include <gtest/gtest.h>

#include "unit/lab/traffic/code_builder.h"

namespace autoschedule_gpu {
namespace {

using namespace test;
using lowered::BufferId;

// Loads of each of 96 threads that load at `first`, store, and load at `second`; a loop of one
// iteration stands for a stride that is known at run time only.
double loads(const std::function<E(E, E)> &first, const std::function<E(E, E)> &second) {
    CodeBuilder c;
    const BufferId in = c.global("in", {1 << 16}), out = c.global("out", {1 << 16});
    c.blocks(0, 3, [&](E) {
        c.threads(0, 32, [&](E thread) {
            c.serial(1, [&](E zero) {
                const E stride = zero + 64;
                c.store(out, thread, c.load(in, first(thread, stride)));
                c.store(out, thread + 4096, c.load(in, second(thread, stride)));
            });
        });
    });
    return c.traffic().global_loads / (3 * 32);
}

TEST(AddressForm, ConstantsApartAreSeenToBeTheSameWhereTheyMeet) {
    EXPECT_EQ(loads([](E t, E) { return t + 1; }, [](E t, E) { return t + 1; }), 1);
    EXPECT_EQ(loads([](E t, E) { return (t + 2) * 3; }, [](E t, E) { return t * 3 + 6; }), 1);
}

TEST(AddressForm, FactorsAreTakenOutOfSumsOfProducts) {
    const auto whole = [](E t, E stride) { return (t + t * t) * stride; };
    EXPECT_EQ(loads(whole, [](E t, E stride) { return t * stride + stride * (t * t); }), 1);
}

TEST(AddressForm, RowsOfAStrideKnownAtRunTimeAreNotSeenToBeTheSame) {
    const auto next = [](E t, E stride) { return (t + 1) * stride; };
    const auto step = [](E t, E stride) { return t * stride + stride; };
    EXPECT_EQ(loads(next, next), 1);
    EXPECT_EQ(loads(next, step), 2);
}

TEST(AddressForm, WhatTheKernelHasStoredIsSeenWhateverTheForm) {
    CodeBuilder c;
    const BufferId out = c.global("out", {1 << 16});
    c.blocks(0, 3, [&](E) {
        c.threads(0, 32, [&](E thread) {
            c.serial(1, [&](E zero) {
                const E stride = zero + 64;
                c.store(out, (thread + 1) * stride, c.load(out, thread * stride));
                c.store(out, (thread + 2) * stride, c.load(out, thread * stride + stride));
            });
        });
    });
    EXPECT_EQ(c.traffic().global_loads, 3 * 32);
}

// What each of 96 threads does that writes to two rows of a buffer in turn, twice to each, and
// loads what it has written to the first.
KernelTraffic two_rows_in_turn(const std::function<E(E, E)> &first,
                               const std::function<E(E, E)> &second) {
    CodeBuilder c;
    const BufferId out = c.global("out", {1 << 16});
    c.blocks(0, 3, [&](E) {
        c.threads(0, 32, [&](E thread) {
            c.serial(1, [&](E zero) {
                const E stride = zero + 64;
                for (int step = 0; step < 2; ++step) {
                    const E loaded = c.load(out, first(thread, stride), 1, kInt32);
                    c.store(out, first(thread, stride), loaded + 1);
                    c.store(out, second(thread, stride), loaded);
                }
            });
        });
    });
    return c.traffic();
}

TEST(AddressForm, RowsThatAThreadStoresToMayBeTheSame) {
    const auto row = [](E t, E stride) { return t * stride; };
    const KernelTraffic apart = two_rows_in_turn(row, [](E t, E) { return t * 64 + 1; });
    EXPECT_EQ(apart.global_loads, 3 * 32 * 2);
    EXPECT_EQ(apart.global_stores, 3 * 32 * 4);
    const KernelTraffic beside =
        two_rows_in_turn(row, [](E t, E stride) { return t * stride + 1; });
    EXPECT_EQ(beside.global_loads, 3 * 32);
    EXPECT_EQ(beside.global_stores, 3 * 32 * 2);
}

TEST(AddressForm, VectorsOfARowAreConstantsApart) {
    CodeBuilder c;
    const BufferId out = c.global("out", {1 << 16});
    const lowered::Type four = {lowered::Type::Kind::real, 32, 4};
    c.blocks(0, 3, [&](E) {
        c.threads(0, 32, [&](E thread) {
            const E begin = thread * 64;
            const auto vector = [&](int i) { return c.load(out, c.ramp(begin + i, 4), 4, four); };
            c.store(out, c.ramp(begin + 4, 4), vector(0), 4);
            c.store(out, c.ramp(begin + 8, 4), vector(0), 4);
        });
    });
    EXPECT_EQ(c.traffic().global_loads, 3 * 32);
}

}  // namespace
}  // namespace autoschedule_gpu
