#include "scheduler/search/fitted_tilings.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

constexpr int64_t kWarp = 32;

std::vector<Tiling> fitted(const char *nest) {
    const Dag dag = example::stencil_chain(2, 1536, 1024);
    return fitted_tilings(dag, *example::parsed(dag, nest).kernels[0], kWarp);
}

bool has(const std::vector<Tiling> &tilings, const Tiling &tiling) {
    return std::ranges::find(tilings, tiling) != tilings.end();
}

TEST(FittedTilings, MakeBlocksWholeWarpsWide) {
    // A border of two points: blocks of 64 or 32 threads have tiles of 62 or 30.
    const std::vector<Tiling> tilings = fitted(
        "kernel f1\n"
        "  f0 threads x=50 y=10\n"
        "  f1 threads x=16 y=8\n"
        "    f1 serial x=3\n");
    EXPECT_TRUE(has(tilings, {{1, 62}, {1, 8}}));
    EXPECT_TRUE(has(tilings, {{2, 31}, {1, 8}}));
    EXPECT_TRUE(has(tilings, {{3, 10}, {1, 8}}));
    EXPECT_TRUE(has(tilings, {{1, 62}, {1, 6}})) << "and eight rows high";
    for (const Tiling &tiling : tilings) {
        EXPECT_LE(tiling[0].serial, 3);
        const int64_t width = tiling[0].points() + 2;
        EXPECT_TRUE(width % kWarp == 0 || width == 48 || width == 50) << width;
    }
}

TEST(FittedTilings, AreNoneWhereNothingIsWider) {
    EXPECT_TRUE(fitted("kernel f1\n  f1 threads x=32 y=8\n").empty());
}

TEST(FittedTilings, AreNoLargerThanTheLoop) {
    const Dag dag = example::stencil_chain(2, 60, 40);
    const KernelPtr kernel = example::parsed(dag,
                                             "kernel f1\n"
                                             "  f0 threads x=50 y=10\n"
                                             "  f1 threads x=48 y=8\n")
                                 .kernels[0];
    for (const Tiling &tiling : fitted_tilings(dag, *kernel, kWarp)) {
        EXPECT_LE(tiling[0].points(), 60);
    }
}

}  // namespace
}  // namespace autoschedule_gpu
