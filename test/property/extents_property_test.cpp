// The symbolic walk against the numeric one: an extent that is said to be constant is that of every
// block and every thread.
#include <gtest/gtest.h>

#include "dag/text.h"
#include "nest/edit.h"
#include "nest/regions.h"
#include "property/random_dag.h"
#include "space/tilings.h"

namespace autoschedule_gpu {
namespace {

std::vector<int64_t> extents_at(const Dag &dag, const Kernel &kernel, FuncId func,
                                const std::vector<int64_t> &points, Random &random) {
    const Stage &stage = dag.stage(kernel.stage);
    std::vector<Interval> ranges;
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const Loop &loop = stage.loops[i];
        const Dimension *dim = loop.dim >= 0 ? &dag.func(stage.func).dims[loop.dim] : nullptr;
        const Interval whole = dim != nullptr ? dim->estimate : loop.range;
        const bool constant = dim != nullptr ? dim->constant : loop.constant;
        // A loop of constant extent that is covered by one block has one place.
        const bool anywhere = loop.parallel && !(constant && whole.extent() == points[i]);
        ranges.push_back(anywhere ? Interval::from_extent(random.between(-1000, 1000), points[i])
                                  : whole);
    }
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
            const std::vector<Tiling> tilings = root_tilings(dag, gpu, RuleSet(), stage, counts);
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

}  // namespace
}  // namespace autoschedule_gpu
