#include "scheduler/search/improve_tilings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "scheduler/nest/edit.h"
#include "scheduler/nest/text.h"
#include "scheduler/nest/thread_code.h"
#include "scheduler/search/best_move.h"
#include "unit/scheduler/nest/parsed.h"
#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using example::at;
using example::DagBuilder;
using example::OwnParts;
using example::Search;

TEST(RefineTilings, NeverCostsMoreAndKeepsWhatIsComputedWhere) {
    for (example::NamedDag &e : example::all()) {
        Search search(std::move(e.dag));
        search.options.refine = false;
        search.options.limits.beam_size = 2;
        search.options.limits.num_passes = 1;
        const State before = search.run().best[0];
        OwnParts own(search);
        const State after = improve_tilings(own.parts, before);
        EXPECT_LE(after.cost, before.cost) << e.name;
        EXPECT_EQ(after.nest.places, before.nest.places) << e.name;
        EXPECT_EQ(after.nest.kernels.size(), before.nest.kernels.size()) << e.name;
        EXPECT_EQ(check(search.dag, after.nest, Completeness::complete), std::vector<std::string>{})
            << e.name;
        // Another go finds nothing more, unless the first ran out of rounds.
        EXPECT_LE(improve_tilings(own.parts, after).cost, after.cost) << e.name;
    }
}

// Calls check(parts, state, k) for each kernel on the device of what is found for each example.
template <typename Check>
void for_each_kernel(const Check &check) {
    for (example::NamedDag &e : example::all()) {
        SCOPED_TRACE(e.name);
        const Search search(std::move(e.dag));
        const State found = search.run().best[0];
        OwnParts own(search);
        for (size_t k = 0; k < found.nest.kernels.size(); ++k) {
            if (!found.nest.kernels[k]->on_host) check(own, found, k);
        }
    }
}

void expect_legal_with_the_places_of(OwnParts &own, const State &before, const State &after) {
    EXPECT_EQ(after.nest.places, before.nest.places);
    EXPECT_EQ(check(own.parts.space.dag(), after.nest, Completeness::complete),
              std::vector<std::string>{});
}

// At the estimates an image may be smaller than what a loop goes by: then that has no iteration.
TEST(WholeTiles, AreThereBesideALoopOfNoIterations) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), sums = b.func("sums", {"x", "y"});
    const StageId add = b.update(sums,
                                 {DagBuilder::reduction("r.x", 0, -1, true, false),
                                  DagBuilder::over(1, "y"), DagBuilder::reduction("r.y", 0, 63)},
                                 {at(0), at(1)});
    b.reads(add, in, {at(0), at(1)});
    const FuncId out = b.output("out", {{"x", 0, 255}, {"y", 0, 99}});
    b.reads(out, sums, {at(0), at(1)});
    const Search search(b.build());
    OwnParts own(search);
    const State state =
        example::state_by_text(search,
                               "kernel out\n  out threads x=32 y=8\n"
                               "kernel sums.update(0)\n  sums.update(0) threads y=16\n"
                               "kernel sums\n  sums threads x=32 y=8\n");
    for (size_t k = 0; k < state.nest.kernels.size(); ++k) {
        for (const State &other : with_whole_tiles(own.parts, state, k)) {
            EXPECT_EQ(check(search.dag, other.nest, Completeness::complete),
                      std::vector<std::string>{});
        }
    }
}

TEST(FewerPoints, AreThereInEachShapeOnceTheCheapestFirst) {
    const auto shape = [](const Kernel &kernel) {
        std::vector<int64_t> serial;
        for (const LoopTile &tile : kernel.tiling) serial.push_back(tile.serial);
        return serial;
    };
    const auto points = [&](const Kernel &kernel) {
        int64_t product = 1;
        for (const int64_t along : shape(kernel)) product *= along;
        return product;
    };
    for_each_kernel([&](OwnParts &own, const State &before, size_t k) {
        std::set<std::vector<int64_t>> shapes;
        double cost = 0;
        for (const State &after : with_fewer_points(own.parts, before, k)) {
            expect_legal_with_the_places_of(own, before, after);
            EXPECT_LT(points(*after.nest.kernels[k]), points(*before.nest.kernels[k]));
            EXPECT_TRUE(shapes.insert(shape(*after.nest.kernels[k])).second);
            EXPECT_LE(std::exchange(cost, after.cost), after.cost);
        }
    });
    const Search search(example::matmul_output(512));
    const State best = search.run().best[0];
    OwnParts own(search);
    EXPECT_GT(with_fewer_points(own.parts, best, 0).size(), 2U) << "a product has tiles to halve";
}

TEST(FewerPoints, AreHalfAsManyAtMostWhereAKernelHasSoFew) {
    const auto points = [](const State &state, size_t k) {
        int64_t product = 1;
        for (const LoopTile &tile : state.nest.kernels[k]->tiling) product *= tile.serial;
        return product;
    };
    for_each_kernel([&](OwnParts &own, const State &before, size_t k) {
        const State after = with_half_the_points(own.parts, before, k);
        expect_legal_with_the_places_of(own, before, after);
        if (after.id != before.id) {
            EXPECT_LE(2 * points(after, k), points(before, k));
        }
    });
}

TEST(FewerPoints, ATileHoldsAnotherThatIsNoLongerAlongAnyLoop) {
    const auto tiling = [](int64_t x, int64_t y) { return Tiling{{.serial = x}, {.serial = y}}; };
    EXPECT_TRUE(holds_tile_of(tiling(4, 2), tiling(4, 2)));
    EXPECT_TRUE(holds_tile_of(tiling(4, 2), tiling(4, 1)));
    EXPECT_FALSE(holds_tile_of(tiling(2, 2), tiling(4, 1)));
    EXPECT_FALSE(holds_tile_of(tiling(4, 1), tiling(4, 2)));
}

TEST(Neighbours, DifferInThatKernelAloneAndAreLegal) {
    for_each_kernel([](OwnParts &own, const State &before, size_t k) {
        for (const State &after : neighbours(own.parts, before, k, 5)) {
            expect_legal_with_the_places_of(own, before, after);
            for (size_t i = 0; i < before.nest.kernels.size(); ++i) {
                const bool same = after.nest.kernels[i]->hash == before.nest.kernels[i]->hash;
                EXPECT_EQ(same, i != k);
            }
        }
    });
}

TEST(Neighbours, MakeAThreadExecuteSomethingElse) {
    for_each_kernel([](OwnParts &own, const State &before, size_t k) {
        const Dag &dag = own.parts.space.dag();
        std::set<uint64_t> codes{thread_code_hash(dag, *before.nest.kernels[k])};
        for (const State &after : neighbours(own.parts, before, k, 5)) {
            EXPECT_TRUE(codes.insert(thread_code_hash(dag, *after.nest.kernels[k])).second);
        }
    });
}

// What was chosen after the tiling is chosen again: else the price of steps would be in the cost.
TEST(Neighbours, KeepTheStepsOfAReduction) {
    const Search search(example::iir(8192, 16384));
    const StageId scan = example::find_stage(search.dag, "scan.update(0)");
    State before = plain_state(search.space, search.model);
    const size_t k = static_cast<size_t>(before.home[scan.index()]);
    before.nest.kernels[k] = step_stage(search.dag, before.nest.kernels[k], scan, 8);
    OwnParts own(search);
    before = with_costs(own.bench.costs, std::move(before));
    const std::vector<State> others = neighbours(own.parts, before, k, 3);
    ASSERT_FALSE(others.empty());
    for (const State &other : others) {
        EXPECT_EQ(find_innermost(*other.nest.kernels[k], scan)->steps, 8);
    }
}

// One stencil in the block of the next: only what is computed there is left to vary.
TEST(Neighbours, VaryThePointsPerThreadOfWhatIsInTheBlock) {
    Search search(example::stencil_chain(2, 1536, 1024));
    OwnParts own(search);
    const Nest nest = example::parsed(
        search.dag, "kernel f1\n  f0 threads x=34 y=10\n    f0 serial\n  f1 threads x=32 y=8\n");
    const State before = with_costs(own.bench.costs, search.space.adopt(nest));
    RuleCounts rejected{};
    const std::vector<Decision> moves = search.space.other_tiles(before, 0, rejected);
    ASSERT_FALSE(moves.empty());
    for (const State &after : cheapest_first(own.parts, before, moves, moves.size())) {
        const Kernel &kernel = *after.nest.kernels[0];
        EXPECT_EQ(kernel.tiling, before.nest.kernels[0]->tiling);
        ASSERT_EQ(kernel.members.size(), 1u);
        const auto points = serial_of(search.dag, kernel, kernel.members[0]);
        EXPECT_GT(points[0] * points[1], 1) << to_text(search.dag, after.nest);
    }
}

// Large enough for the plain state to fill the device: where it does not, the search may not have
// it.
TEST(RefineTilings, FindsTheBestOfFewTilings) {
    Search search(example::copy(256, 128));
    OwnParts own(search);
    const State state = plain_state(search.space, search.model);
    const State refined = improve_tilings(own.parts, state);
    ASSERT_LE(search.space.tilings(StageId(0)).size(), 64u) << "or the descent may end elsewhere";
    search.options.sampling = Switch::off;
    search.options.limits.beam_size = 1000;
    const State best = search.run().best[0];
    EXPECT_DOUBLE_EQ(refined.cost, best.cost)
        << to_text(search.dag, refined.nest) << to_text(search.dag, best.nest);
}

// Four stencils of 5 x 5 points, f0 to f3.
Dag four_wide_stencils() {
    DagBuilder b;
    FuncId previous = b.input("in", {"x", "y"});
    for (const char *name : {"f0", "f1", "f2", "f3"}) {
        const FuncId f = std::string(name) == "f3"
                             ? b.output(name, {{"x", 0, 1535}, {"y", 0, 1023}})
                             : b.func(name, {"x", "y"});
        b.reads(f, previous, {at(0, -2, 2), at(1, -2, 2)}, 25).ops(f, OpKind::add, 25);
        previous = f;
    }
    return b.build();
}

// The tile that fits the block goes with others than those that it was found beside.
TEST(RefineTilings, GoesOnFromATileThatMakesTheBlockWholeWarpsWide) {
    Search search(four_wide_stencils());
    OwnParts own(search);
    const Nest nest = example::parsed(search.dag,
                                      "kernel f3\n  f0 threads x=28 y=20\n  f1 threads x=24 y=16\n"
                                      "  f2 threads x=20 y=12\n  f3 threads x=16 y=8\n");
    const State before = with_costs(own.bench.costs, search.space.adopt(nest));
    const State after = improve_tiling(own.parts, before, 0);
    const Kernel &kernel = *after.nest.kernels[0];
    const std::vector<Tiling> &all = search.space.tilings(kernel.stage);
    ASSERT_EQ(std::ranges::find(all, kernel.tiling), all.end()) << "else no tile was fitted";
    for (const Tiling &other : all) {
        for (size_t i = 0; i < other.size(); ++i) {
            Tiling tiling = kernel.tiling;
            tiling[i] = other[i];
            const FuncId func = search.dag.stage(kernel.stage).func;
            const std::optional<State> better =
                best_of(own.parts, after, {decide_tiling(func, 0, tiling)});
            EXPECT_FALSE(better) << to_text(search.dag, better->nest);
        }
    }
}

TEST(RefineTilings, OfOneKernelLeavesTheOthersAlone) {
    Search search(example::stencil_chain(4, 1536, 1024));
    OwnParts own(search);
    const State before = plain_state(search.space, search.model);
    const State after = improve_tiling(own.parts, before, 2);
    EXPECT_LT(after.cost, before.cost);
    for (size_t k = 0; k < before.nest.kernels.size(); ++k) {
        EXPECT_EQ(after.nest.kernels[k]->hash == before.nest.kernels[k]->hash, k != 2) << k;
    }
    // All of them one after the other come to the same as all at once.
    State each = before;
    for (size_t k = 0; k < each.nest.kernels.size(); ++k) {
        each = improve_tiling(own.parts, std::move(each), k);
    }
    EXPECT_EQ(each.id, improve_tilings(own.parts, before).id);
}

// Eleven threads cut nothing off 33 columns, and twice as many along another loop make up for those
// that are missing. Along the fourth loop no axis is left for them.
TEST(WholeTiles, HaveAnAxisForEveryLoopWithThreads) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y", "z", "w"});
    const FuncId out = b.output("out", {{"x", 0, 32}, {"y", 0, 63}, {"z", 0, 15}, {"w", 0, 7}});
    b.reads(out, in, {at(0), at(1), at(2), at(3)});
    const Search search(b.build());
    const State before = example::state_by_text(search, "kernel out\n  out threads x=32 y=4 z=2\n");
    OwnParts own(search);
    const std::vector<State> others = with_whole_tiles(own.parts, before, 0);
    ASSERT_FALSE(others.empty());
    for (const State &other : others) {
        EXPECT_EQ(check(search.dag, other.nest, Completeness::complete),
                  std::vector<std::string>{});
    }
}

TEST(RefineTilings, LeavesEverythingAloneWhenTheTimeIsUp) {
    Search search(example::stencil_chain(4, 1536, 1024));
    const State state = plain_state(search.space, search.model);
    search.options.limits.time_limit_s = 0;
    OwnParts own(search);
    EXPECT_EQ(improve_tilings(own.parts, state).id, state.id);
}

}  // namespace
}  // namespace autoschedule_gpu
