#include "scheduler/space/scatter_tilings.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/example_dags.h"
#include "unit/scheduler/space/walk.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

const Interval kTenBins = {0, 9};

// 1,024 cells are few blocks.
GpuModel few_multiprocessors() {
    GpuModel gpu = kGpu;
    gpu.sm_count = 8;
    return gpu;
}

std::vector<Tiling> tilings_of_bins_reader(const Dag &dag) {
    RuleCounts counts;
    return scatter_tilings(dag, few_multiprocessors(), RuleBook(), find_stage(dag, "out"), counts);
}

// A thread of a cell, in a block of 32 or more cells, has all bins.
const Wanted kTiled = tiled({{1, 32}, {1, 1, false, Rest::threads}});

TEST(ScatterTilings, HaveAllBinsInAThread) {
    const std::vector<Tiling> tilings =
        tilings_of_bins_reader(scattered_bins(kTenBins, Interval(0, 63)));
    ASSERT_FALSE(tilings.empty());
    for (const Tiling &tiling : tilings) {
        EXPECT_EQ(tiling[1], (LoopTile{1, 1, false, Rest::threads}));
        EXPECT_EQ(tiling[0].serial, 1);
        EXPECT_GE(tiling[0].threads, 32);
    }
}

TEST(ScatterTilings, AreNoneWhereNothingIsScattered) {
    EXPECT_TRUE(tilings_of_bins_reader(diamond(1024, 512)).empty());
    EXPECT_TRUE(tilings_of_bins_reader(row_sums(64, 4096)).empty());
}

TEST(ScatterTilings, AreNoneOfAConstantNumberOfBins) {
    Dag dag = scattered_bins(kTenBins, Interval(0, 63));
    dag.funcs[find_func(dag, "out").index()].dims[1].constant = true;
    EXPECT_TRUE(tilings_of_bins_reader(dag).empty());
}

// Decisions that compute the bins in the block of out.
std::vector<Decision> bins_in_block(const SearchSpace &space, const State &state) {
    std::vector<Decision> moves = moves_of(space, state, 2);
    std::erase_if(moves, [](const Decision &move) { return move.place != Place::block; });
    return moves;
}

TEST(BinsThatAParameterCounts, AreInABlockInASerialLoop) {
    const Dag dag = scattered_bins(kTenBins, Interval(0, 63));
    const GpuModel gpu = few_multiprocessors();
    const SearchSpace space(dag, gpu, RuleBook(), Freedom::full);
    const State state = walk(space, {kRoot, kTiled});
    const std::vector<Decision> moves = bins_in_block(space, state);
    ASSERT_FALSE(moves.empty());
    for (const Decision &move : moves) {
        const std::optional<State> next = taken(space, state, move);
        if (!next) continue;
        const Kernel &kernel = *next->nest.kernels[0];
        const Band &inner = *find_innermost(kernel, find_stage(dag, "bins"));
        EXPECT_EQ(inner.trips[1], 10);
        EXPECT_TRUE(is_set_by_parameters(dag, inner, 1));
        EXPECT_EQ(UnrolledLoops(dag, inner)[1], 1);
        EXPECT_EQ(find_threads(kernel, find_stage(dag, "bins"))->trips[1], 1);
    }
}

// 33 cells of 64 bins of 4 bytes are 8,448 bytes; at the estimates, 1,320.
TEST(BinsThatAParameterCounts, MustFitWhenTheyAreMost) {
    const Dag dag = scattered_bins(kTenBins, Interval(0, 63));
    const auto answer = [&](int64_t shared_bytes) {
        GpuModel gpu = few_multiprocessors();
        gpu.shared_bytes_per_block = shared_bytes;
        const SearchSpace space(dag, gpu, RuleBook(), Freedom::full);
        const State state = walk(space, {kRoot, kTiled});
        return rejection(space, state, *found(bins_in_block(space, state), in_block({1, 1})));
    };
    EXPECT_EQ(answer(8448), std::nullopt);
    EXPECT_EQ(answer(8447), "hardware_shared");
}

TEST(BinsThatAParameterCounts, AreInNoBlockWithoutARange) {
    const Dag dag = scattered_bins(kTenBins, std::nullopt);
    const GpuModel gpu = few_multiprocessors();
    const SearchSpace space(dag, gpu, RuleBook(), Freedom::full);
    const State state = walk(space, {kRoot, kTiled});
    EXPECT_TRUE(bins_in_block(space, state).empty());
    RuleCounts counts;
    (void)space.decisions(state, space.steps()[2], Retile::no, counts);
    EXPECT_GT(example::counted(counts, "dynamic_allocation"), 0u);
}

}  // namespace
}  // namespace autoschedule_gpu
