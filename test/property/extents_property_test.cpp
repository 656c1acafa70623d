// The symbolic walk against the numeric one: an extent that is said to be constant is that of every
// block and every thread.
#include <gtest/gtest.h>

#include "core/dag/text.h"
#include "property/random_dag.h"
#include "scheduler/nest/edit.h"
#include "scheduler/nest/regions.h"
#include "scheduler/space/tilings.h"

namespace autoschedule_gpu {
namespace {

// Where so many points of the kernel's stage may lie.
std::vector<Interval> ranges_anywhere(const Dag &dag, const Kernel &kernel,
                                      const std::vector<int64_t> &points, bool aligned,
                                      Random &random) {
    const Stage &stage = dag.stage(kernel.stage);
    std::vector<Interval> ranges;
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const Loop &loop = stage.loops[i];
        const Dimension *dim = loop.dim >= 0 ? &dag.func(stage.func).dims[loop.dim] : nullptr;
        const Interval whole = dim != nullptr ? dim->estimate : loop.range;
        const bool constant = dim != nullptr ? dim->constant : loop.constant;
        // A loop of constant extent that is covered by one block has one place.
        const bool anywhere = loop.parallel && !(constant && whole.extent() == points[i]);
        // Tiles begin at multiples where all are whole, or where a kernel has them aligned because
        // of what is computed in them; others begin anywhere.
        const bool exact = constant && whole.extent() % points[i] == 0;
        const bool multiple = dim != nullptr && dim->constant_min && (exact || aligned);
        const int64_t start =
            multiple ? whole.min + points[i] * random.between(0, 100) : random.between(-1000, 1000);
        ranges.push_back(anywhere ? Interval::from_extent(start, points[i]) : whole);
    }
    return ranges;
}

std::vector<int64_t> extents_at(const Dag &dag, const Kernel &kernel, FuncId func,
                                const std::vector<int64_t> &points, Random &random) {
    const bool has_updates = dag.func(func).stages.size() > 1;
    const std::vector<Interval> ranges = ranges_anywhere(dag, kernel, points, has_updates, random);
    std::vector<FuncId> members = members_below(dag, kernel, *kernel.blocks);
    RegionSet regions(dag);
    propagate(dag, kernel.stage, ranges, members, regions);
    std::vector<Interval> computed(regions.box(func).size());
    dag.regions.evaluate(dag.func(func).computed, regions.box(func), computed);
    std::vector<int64_t> extents;
    for (const Interval &range : computed) extents.push_back(range.extent());
    return extents;
}

// Everything between the kernel and `func` inline: the longest walks there are.
KernelPtr with_all_inlined(const Dag &dag, KernelPtr kernel, FuncId except) {
    for (size_t i = 0; i < dag.funcs.size(); ++i) {
        const FuncId func(i);
        if (dag.funcs[i].can_inline && func != except) kernel = inline_func(kernel, func);
    }
    return kernel;
}

TEST(ConstantExtents, AreThoseOfEveryBlockAndThread) {
    int known = 0, unknown = 0;
    const GpuModel gpu = find_preset("a100").value();
    for (uint64_t seed = 0; seed < 1000; ++seed) {
        const Dag dag = example::random_dag(seed, 7);
        Random random(seed);
        for (size_t s = 0; s < dag.stages.size(); ++s) {
            const StageId stage(s);
            RuleCounts counts{};
            const std::vector<Tiling> tilings = root_tilings(dag, gpu, RuleBook(), stage, counts);
            const Tiling &tiling = tilings[random.below(tilings.size())];
            std::vector<int64_t> block;
            for (const LoopTile &tile : tiling) block.push_back(tile.points());
            for (size_t f = 0; f < dag.stage(stage).func.index(); ++f) {
                if (dag.funcs[f].is_input()) continue;
                const KernelPtr kernel =
                    with_all_inlined(dag, make_kernel(dag, stage, tiling), FuncId(f));
                const Band &threads = *root_threads(*kernel);
                const auto in_block = extents_in_block(dag, *kernel, FuncId(f));
                const auto in_thread = extents_in_thread(dag, *kernel, threads, FuncId(f));
                for (int place = 0; place < 3; ++place) {
                    if (in_block) {
                        ASSERT_EQ(extents_at(dag, *kernel, FuncId(f), block, random), *in_block)
                            << seed << "\n"
                            << to_text(dag);
                    }
                    if (in_thread) {
                        ASSERT_EQ(
                            extents_at(dag, *kernel, FuncId(f), threads.body.back()->trips, random),
                            *in_thread)
                            << seed << "\n"
                            << to_text(dag);
                    }
                }
                (in_block ? known : unknown)++;
            }
        }
    }
    EXPECT_GT(known, 500);
    EXPECT_GT(unknown, 500);
}

// A kernel with `func` in its block, the reduction of one of its updates outside the threads, or
// only the outermost loop of it; null if there is no such update or Halide would not know the
// region.
KernelPtr with_loop(const Dag &dag, const KernelPtr &kernel, FuncId func, Place place,
                    BlockLoop &loop) {
    loop = own_loop(dag, func, place);
    const auto extents = loop.valid() ? extents_in_block(dag, *kernel, func) : std::nullopt;
    if (!extents) return nullptr;
    return compute_in_block(dag, kernel, func, *extents, std::vector<int64_t>(extents->size(), 1),
                            loop);
}

std::vector<int64_t> extents_in_iteration(const Dag &dag, const Kernel &kernel, BlockLoop loop,
                                          FuncId func, Random &random) {
    RegionSet block(dag), iteration(dag);
    std::vector<int64_t> points;
    for (const LoopTile &tile : kernel.tiling) points.push_back(tile.points());
    std::vector<Interval> ranges = ranges_anywhere(dag, kernel, points, false, random);
    propagate(dag, kernel.stage, ranges, members_below(dag, kernel, *kernel.blocks), block);
    iteration_ranges(dag, loop, block.box(dag.stage(loop.update).func), ranges);
    for (size_t i = 0; i < ranges.size(); ++i) {
        if (!is_outside(dag, loop, i)) continue;
        ranges[i] = Interval::from_extent(random.between(-1000, 1000), 1);
    }
    propagate(dag, loop.update, ranges, members_in_loop(dag, kernel, loop), iteration);
    std::vector<Interval> computed(iteration.box(func).size());
    dag.regions.evaluate(dag.func(func).computed, iteration.box(func), computed);
    std::vector<int64_t> extents;
    for (const Interval &range : computed) extents.push_back(range.extent());
    return extents;
}

TEST(ConstantExtents, InALoopAreThoseOfEveryIteration) {
    int known = 0, unknown = 0;
    const GpuModel gpu = find_preset("a100").value();
    for (uint64_t seed = 0; seed < 3000; ++seed) {
        const Dag dag = example::random_dag(seed, 7);
        Random random(seed);
        for (EdgeId edge(0); edge.index() < dag.edges.size(); edge = EdgeId(edge.index() + 1)) {
            const StageId root = dag.edge(edge).consumer;
            const FuncId sum = dag.edge(edge).producer;
            if (dag.func(sum).is_output()) continue;
            RuleCounts counts{};
            const std::vector<Tiling> tilings = root_tilings(dag, gpu, RuleBook(), root, counts);
            BlockLoop loop;
            const Place place = seed % 2 == 0 ? Place::block_loop : Place::block_outer_loop;
            const KernelPtr looped =
                with_loop(dag, make_kernel(dag, root, tilings[random.below(tilings.size())]), sum,
                          place, loop);
            if (!looped) continue;
            for (size_t f = 0; f < sum.index(); ++f) {
                if (dag.funcs[f].is_input()) continue;
                const KernelPtr kernel = with_all_inlined(dag, looped, FuncId(f));
                const auto extents = extents_in_block(dag, *kernel, FuncId(f), loop);
                ++(extents ? known : unknown);
                for (int place = 0; extents && place < 3; ++place) {
                    ASSERT_EQ(extents_in_iteration(dag, *kernel, loop, FuncId(f), random), *extents)
                        << seed << "\n"
                        << to_text(dag) << to_text(dag, *kernel);
                }
            }
        }
    }
    EXPECT_GT(known, 100);
    EXPECT_GT(unknown, 100);
}

}  // namespace
}  // namespace autoschedule_gpu
