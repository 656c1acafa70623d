// src/halide/README.md: storage outside a loop between blocks and threads, and how it is folded.
#include <gtest/gtest.h>

#include "halide_facts/lowered.h"

namespace autoschedule_gpu::test {
namespace {

using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;

// Two filters of five rows. Blocks of 16 x 32 points walk in tiles of four rows, of which the
// filters compute what is new.
struct Filters {
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, tile{"tile"}, row{"row"};
    Func first{"first"}, second{"second"}, out{"out"};

    explicit Filters(TailStrategy tail = TailStrategy::ShiftInwards) {
        first(x, y) = x * x + 3 * y + 1;
        second(x, y) = first(x, y - 2) + first(x, y + 2);
        out(x, y) = second(x, y - 2) + second(x, y + 2);
        out.split(x, xo, xi, 16, tail).split(y, yo, yi, 32, tail).split(yi, tile, row, 4);
        out.reorder(row, xi, tile, xo, yo).unroll(row).gpu_blocks(xo, yo).gpu_threads(xi);
    }

    Filters &walking() {
        for (Func *func : {&first, &second}) {
            func->store_at(out, xo).compute_at(out, tile).gpu_threads(x);
        }
        return *this;
    }
};

constexpr int64_t kRowBytes = 16 * 4;

TEST(HalideFacts, AWalkKeepsAPowerOfTwoOfRowsOfEachFunc) {
    Filters p;
    const Lowered lowered = lower(p.walking().out);
    EXPECT_EQ(lowered.launches.back().shared_bytes, Size(2 * 8 * kRowBytes))
        << "four rows and four around them";
    EXPECT_GT(count(lowered.loops, "% 8)"), 0);
}

TEST(HalideFacts, AWalkBehindAGuardHasNoConstantSize) {
    Filters p(TailStrategy::GuardWithIf);
    EXPECT_EQ(lower(p.walking().out).launches.back().shared_bytes, std::nullopt);
}

TEST(HalideFacts, FoldStorageMakesRoomForMoreRowsThanAWalkNeeds) {
    Filters p;
    p.walking().second.fold_storage(p.y, 16);
    EXPECT_EQ(lower(p.out).launches.back().shared_bytes, Size((8 + 16) * kRowBytes));
}

TEST(HalideFacts, FoldStorageDoesNothingWhereNothingWalks) {
    Filters p;
    p.second.compute_at(p.out, p.xo).gpu_threads(p.x).fold_storage(p.y, 8);
    EXPECT_EQ(lower(p.out).launches.back().shared_bytes, Size((32 + 4) * kRowBytes));
}

// Each step reads eight rows of `second`.
TEST(HalideFacts, FoldStorageOfTooFewRowsIsNotRefusedForOpenCl) {
    Filters p;
    Var step{"step"}, fresh{"fresh"};
    for (Func *func : {&p.first, &p.second}) {
        func->split(p.y, step, fresh, 4, TailStrategy::ShiftInwards);
        func->reorder(fresh, p.x, step).unroll(fresh).unroll(step);
    }
    p.walking().second.fold_storage(p.y, 4);
    EXPECT_EQ(lower(p.out).launches.back().shared_bytes, Size((8 + 4) * kRowBytes));
}

}  // namespace
}  // namespace autoschedule_gpu::test
