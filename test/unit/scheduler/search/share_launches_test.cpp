#include "scheduler/search/share_launches.h"

#include <gtest/gtest.h>

#include "scheduler/nest/launch.h"
#include "scheduler/nest/text.h"
#include "scheduler/search/launch_costs.h"
#include "scheduler/space/tilings.h"
#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using example::at;
using example::Search;
using example::state_by_text;

State shared(const Search &search, const State &state) {
    SearchContext context(search.options);
    SearchReport report;
    return share_launches(search.space, search.model, context, state, report);
}

const std::string kLaunchesApart =
    "kernel out\n  out threads x=32 y=8\n"
    "kernel dx\n  dx threads x=32 y=8\nkernel dy\n  dy threads x=32 y=8\n";

TEST(ShareLaunches, SparesALaunchWhereKernelsAreSmall) {
    const Search search(example::siblings(128, 64));
    const State before = state_by_text(search, kLaunchesApart), after = shared(search, before);
    EXPECT_EQ(launches(after.nest).size(), 2u);
    EXPECT_LT(after.cost, before.cost - 1000 * search.gpu.kernel_launch_us / 2);
    EXPECT_EQ(after.id, after.nest.hash());
    EXPECT_EQ(check(search.dag, after.nest, Completeness::complete), std::vector<std::string>{});
}

// The blocks of a launch that is shared are one loop: here the 40 of dx, 5 along x and 8 along y.
TEST(ShareLaunches, HasNoMoreBlocksThanALaunchTakesAlongX) {
    for (const int64_t most : {39, 40}) {
        GpuModel gpu = find_preset("a100").value();
        gpu.max_blocks_x = most;
        const Search search(example::siblings(128, 64), Freedom::full, {}, gpu);
        const State after = shared(search, state_by_text(search, kLaunchesApart));
        EXPECT_EQ(launches(after.nest).size(), most == 40 ? 2u : 3u) << most;
    }
}

TEST(ShareLaunches, ReadsOnceWhatTwoOutputsRead) {
    const Search search(example::derivatives(256, 128));
    const State before = state_by_text(search,
                                       "kernel dx\n  dx threads x=32 y=8\n"
                                       "kernel dy\n  dy threads x=32 y=8\n");
    const State after = shared(search, before);
    EXPECT_EQ(launches(after.nest).size(), 1u);
    EXPECT_LT(after.cost, before.cost - 1000 * search.gpu.kernel_launch_us / 2);
}

TEST(ShareLaunches, TilesAlikeWhatHasOtherThreads) {
    const Search search(example::siblings(128, 64));
    const State after =
        shared(search, state_by_text(search,
                                     "kernel out\n  out threads x=32 y=8\n"
                                     "kernel dx\n  dx threads x=32 y=8\n"
                                     "kernel dy\n  dy threads x=128\n    dy serial y=4\n"));
    EXPECT_EQ(launches(after.nest).size(), 2u);
    EXPECT_EQ(check(search.dag, after.nest, Completeness::complete), std::vector<std::string>{});
}

// A list of decisions has no tile that is larger than its loop.
TEST(ShareLaunches, TilesAKernelAsItMayBeTiledAlone) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId large = b.output("large", {{"x", 0, 127}, {"y", 0, 63}});
    const FuncId low = b.output("low", {{"x", 0, 255}, {"y", 0, 3}});
    for (const FuncId func : {large, low}) b.reads(func, in, {at(0), at(1)});
    const Search search(b.build());
    const State after =
        shared(search, state_by_text(search,
                                     "kernel large\n  large threads x=32 y=8\n"
                                     "kernel low\n  low threads x=256\n    low serial y=4\n"));
    for (const KernelPtr &kernel : after.nest.kernels) {
        EXPECT_TRUE(has_tiles(loop_extents(search.dag, kernel->stage), kernel->tiling))
            << to_text(search.dag, *kernel);
    }
}

TEST(ShareLaunches, SparesALaunchWhereOneHasAnotherDimension) {
    const Search search(example::siblings_of_channels(128, 64));
    const State before = state_by_text(search, kLaunchesApart), after = shared(search, before);
    EXPECT_EQ(launches(after.nest).size(), 2u);
    EXPECT_LT(after.cost, before.cost - 1000 * search.gpu.kernel_launch_us / 2);
    EXPECT_EQ(check(search.dag, after.nest, Completeness::complete), std::vector<std::string>{});
}

TEST(ShareLaunches, GoesStepByStepAlongTwoChains) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    std::string apart = "kernel out\n  out threads x=32 y=8\n";
    std::vector<FuncId> ends;
    for (const std::string chain : {"a", "b"}) {
        FuncId last = in;
        for (const std::string step : {"0", "1", "2"}) {
            const FuncId func = b.func(chain + step, {"x", "y"});
            b.reads(func, last, {at(0, -1, 1), at(1)}, 3).ops(func, OpKind::add, 20);
            apart += "kernel " + chain + step + "\n  " + chain + step + " threads x=32 y=8\n";
            last = func;
        }
        ends.push_back(last);
    }
    const FuncId out = b.output("out", {{"x", 0, 127}, {"y", 0, 63}});
    for (const FuncId end : ends) b.reads(out, end, {at(0, -2, 2), at(1)}, 5);
    const Search search(b.build());
    const State after = shared(search, state_by_text(search, apart));
    EXPECT_EQ(launches(after.nest).size(), 4u) << to_text(search.dag, after.nest);
    EXPECT_EQ(check(search.dag, after.nest, Completeness::complete), std::vector<std::string>{});
}

TEST(ShareLaunches, KeepsWhatDependsOnEachOtherApart) {
    const Search search(example::stencil_chain(3, 128, 64));
    const State before = state_by_text(search,
                                       "kernel f2\n  f2 threads x=32 y=8\n"
                                       "kernel f1\n  f1 threads x=32 y=8\n"
                                       "kernel f0\n  f0 threads x=32 y=8\n");
    EXPECT_EQ(shared(search, before).id, before.id);
}

TEST(ShareLaunches, CostsAreThoseOfTheLaunches) {
    const Search search(example::siblings(128, 64));
    const State after = shared(search, state_by_text(search, kLaunchesApart));
    State again = search.space.adopt(after.nest);
    again.kernel_costs.assign(after.nest.kernels.size(), 0);
    again = with_costs_of_launches(search.dag, search.gpu, search.model, std::move(again));
    EXPECT_EQ(again.kernel_costs[1], after.kernel_costs[1]) << to_text(search.dag, after.nest);
    EXPECT_EQ(again.kernel_costs[2], 0);
    EXPECT_EQ(after.cost, after.kernel_costs[0] + again.kernel_costs[1]);
}

TEST(ShareLaunches, NeverCostsMoreAndIsSound) {
    for (example::NamedDag &e : example::all()) {
        const Search search(std::move(e.dag));
        const example::OwnParts own(search);
        const State before = plain_state(search.space, search.model);
        const State after = shared(search, before);
        EXPECT_LE(after.cost, before.cost) << e.name;
        EXPECT_EQ(check(search.dag, after.nest, Completeness::complete), std::vector<std::string>{})
            << e.name;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
