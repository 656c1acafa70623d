#include "lab/traffic/kept_values.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

using lowered::BufferId;

constexpr BufferId kIn{0}, kOut{1}, kShared{2};

// Address `base`, the same distance between threads as all others of that `shape`.
constexpr AddressKey at(int64_t base, uint64_t shape = 1) {
    return {shape, base};
}

TEST(KeptValues, ARepeatedLoadIsSaved) {
    KeptValues kept;
    EXPECT_TRUE(kept.load(1, kIn, at(0)));
    EXPECT_TRUE(kept.load(2, kIn, at(1)));
    EXPECT_FALSE(kept.load(3, kIn, at(0)));
    EXPECT_TRUE(kept.load(4, kOut, at(0)));
}

TEST(KeptValues, WhatWasStoredNeedNotBeLoaded) {
    KeptValues kept;
    EXPECT_TRUE(kept.store(1, kOut, at(0)));
    EXPECT_FALSE(kept.load(2, kOut, at(0)));
}

TEST(KeptValues, AStoreThatMayBeToTheSameAddressMakesStale) {
    KeptValues kept;
    EXPECT_TRUE(kept.load(1, kOut, at(0)));
    EXPECT_TRUE(kept.store(2, kOut, at(5)));  // another address for certain
    EXPECT_FALSE(kept.load(3, kOut, at(0)));
    EXPECT_TRUE(kept.store(4, kOut, at(5, 2)));  // who knows
    EXPECT_TRUE(kept.load(5, kOut, at(0)));
}

TEST(KeptValues, ALoadWaitsForAStoreThatMayBeToItsAddress) {
    KeptValues kept;
    EXPECT_FALSE(kept.waits(kOut, at(0)));
    kept.store(1, kOut, at(0));
    EXPECT_FALSE(kept.waits(kIn, at(0, 2)));
    EXPECT_FALSE(kept.waits(kOut, at(5)));  // another address for certain
    EXPECT_TRUE(kept.waits(kOut, at(5, 2)));
    kept.load(2, kOut, at(5, 2));
    EXPECT_FALSE(kept.waits(kOut, at(6, 3))) << "the load before has waited";
    kept.enter_loop();
    kept.store(3, kOut, at(0));
    kept.next_iteration();
    EXPECT_FALSE(kept.waits(kOut, at(5, 2))) << "each iteration waits for the one before";
}

TEST(KeptValues, WhatIsOverwrittenUnreadIsNotStored) {
    KeptValues kept;
    EXPECT_TRUE(kept.load(1, kOut, at(0)));
    EXPECT_TRUE(kept.store(2, kOut, at(0)));
    EXPECT_TRUE(kept.load(3, kOut, at(1)));  // another address for certain
    EXPECT_FALSE(kept.store(4, kOut, at(0)));
    EXPECT_FALSE(kept.load(5, kOut, at(0)));  // from its register, so that it is still unread
    EXPECT_FALSE(kept.store(6, kOut, at(0)));
}

TEST(KeptValues, ALoadOfAnotherBufferInGlobalMemoryNeedsNoStore) {
    KeptValues kept({kShared});
    EXPECT_TRUE(kept.store(1, kOut, at(0)));
    EXPECT_TRUE(kept.load(2, kIn, at(0)));
    EXPECT_FALSE(kept.store(3, kOut, at(0)));
    EXPECT_TRUE(kept.load(4, kShared, at(0)));
    EXPECT_FALSE(kept.store(5, kOut, at(0)));
    EXPECT_TRUE(kept.store(6, kShared, at(0)));
    EXPECT_TRUE(kept.load(7, kIn, at(1)));
    EXPECT_FALSE(kept.store(8, kShared, at(0)));
}

TEST(KeptValues, WhatMayBeLoadedIsStoredFirst) {
    KeptValues kept({kIn, kOut});
    EXPECT_TRUE(kept.store(1, kOut, at(0)));
    EXPECT_TRUE(kept.load(2, kIn, at(0)));
    EXPECT_TRUE(kept.store(3, kOut, at(0)));
    EXPECT_TRUE(kept.load(4, kOut, at(5, 2)));
    EXPECT_TRUE(kept.store(5, kOut, at(0)));
    kept.enter_branch();
    EXPECT_TRUE(kept.store(6, kOut, at(0)));
    kept.leave_branch();
    EXPECT_TRUE(kept.store(7, kOut, at(0)));
}

TEST(KeptValues, WhatIsLoadedBackIsStoredFirst) {
    KeptValues kept;
    EXPECT_TRUE(kept.store(1, kOut, at(0)));
    EXPECT_TRUE(kept.store(2, kOut, at(5, 2)));
    EXPECT_TRUE(kept.load(3, kOut, at(0)));  // the second store may have been there
    EXPECT_TRUE(kept.store(4, kOut, at(0)));
}

TEST(KeptValues, WhatABranchLoadsIsForgottenBehindIt) {
    KeptValues kept;
    EXPECT_TRUE(kept.load(1, kIn, at(0)));
    kept.enter_branch();
    EXPECT_FALSE(kept.load(2, kIn, at(0)));
    EXPECT_TRUE(kept.load(3, kIn, at(1)));
    EXPECT_FALSE(kept.load(4, kIn, at(1)));
    kept.leave_branch();
    EXPECT_TRUE(kept.load(5, kIn, at(1)));
}

TEST(KeptValues, AForgottenBufferIsLoadedAgain) {
    KeptValues kept;
    EXPECT_TRUE(kept.load(1, kIn, at(0)));
    EXPECT_TRUE(kept.load(2, kOut, at(0)));
    kept.forget(kIn);
    EXPECT_TRUE(kept.load(3, kIn, at(0)));
    EXPECT_FALSE(kept.load(4, kOut, at(0)));
}

// How often one site accesses memory in the loops that `run` goes through.
struct Loop {
    KeptValues kept;
    int accesses = 0;

    template <typename Body>
    void run(int iterations, Body body) {
        kept.enter_loop();
        for (int i = 0; i < iterations; i++) {
            kept.next_iteration();
            body(i);
        }
        kept.leave_loop();
    }
    void load(BufferId buffer, const AddressKey &key) { accesses += kept.load(1, buffer, key); }
    void store(BufferId buffer, const AddressKey &key) { accesses += kept.store(2, buffer, key); }
};

TEST(KeptValues, AFixedLoadIsMadeOncePerLoop) {
    Loop loop;
    loop.run(10, [&](int) { loop.load(kIn, at(0)); });
    EXPECT_EQ(loop.accesses, 1);
}

TEST(KeptValues, AMovingLoadIsMadeInEveryIterationEvenIfAnotherOneHadIt) {
    // Iteration i loads what iteration i - 1 loaded elsewhere: no compiler keeps that.
    Loop loop;
    loop.run(10, [&](int i) {
        loop.load(kIn, at(i));
        loop.accesses += loop.kept.load(3, kIn, at(i + 1));
    });
    EXPECT_EQ(loop.accesses, 20);
}

TEST(KeptValues, OnlyWhatIsFixedInTheInnerLoopLeavesTheOuterOne) {
    Loop loop;
    loop.run(5, [&](int) {
        loop.run(10, [&](int k) {
            loop.load(kIn, at(7));  // fixed in both
            loop.accesses +=
                loop.kept.load(3, kIn, at(k));  // the same walk in each outer iteration
        });
    });
    // at(7) is loaded first; the walk finds it kept in its iteration 7 of 10, five times.
    EXPECT_EQ(loop.accesses, 1 + 5 * 9);
}

TEST(KeptValues, AnAccumulatorStaysInItsRegister) {
    Loop loop;
    loop.run(10, [&](int) {
        loop.load(kOut, at(0));
        loop.store(kOut, at(0));
    });
    EXPECT_EQ(loop.accesses, 2);
}

TEST(KeptValues, AnAccumulatorThatIsReadElsewhereIsWrittenEachTime) {
    Loop loop;
    int others = 0;
    loop.run(10, [&](int i) {
        loop.store(kOut, at(0));
        others += loop.kept.load(3, kOut, at(i, 2));
    });
    EXPECT_EQ(loop.accesses, 10);
    EXPECT_EQ(others, 10);
}

TEST(KeptValues, ABranchInTheLoopKeepsAccessesInside) {
    Loop loop;
    loop.run(10, [&](int) {
        loop.kept.enter_branch();
        loop.load(kIn, at(0));
        loop.kept.leave_branch();
    });
    EXPECT_EQ(loop.accesses, 10);
}

TEST(KeptValues, ABarrierInTheLoopMakesEveryIterationLoad) {
    Loop loop;
    loop.run(10, [&](int) {
        loop.kept.forget(kIn);
        loop.load(kIn, at(0));
    });
    EXPECT_EQ(loop.accesses, 10);
}

}  // namespace
}  // namespace autoschedule_gpu
