// What is known of one band of threads, whatever its stages compute.
#include <algorithm>
#include <vector>

#include "scheduler/features/active_threads.h"
#include "scheduler/features/facts_steps.h"

namespace autoschedule_gpu {

namespace {

// Returns how often the band runs in a block: the tiles of a walk, and the steps before them.
double loop_iterations_of(const KernelFacts &facts, const Band &band) {
    const double iterations = static_cast<double>(loop_iterations(facts.dag, band.loop));
    const SlideFacts *along = facts.slide(facts.dag.stage(band.stage).func);
    const int64_t before = along == nullptr ? 0 : along->slide.before;
    return iterations * static_cast<double>(walk_of(facts.kernel.tiling) + before);
}

// Returns the first thread's share of the block, as ranges of the loops of the band's own stage.
std::span<const Interval> first_thread(const KernelFacts &facts, const Band &threads,
                                       ExtractionScratch &scratch) {
    const Dag &dag = facts.dag;
    const Stage &stage = dag.stage(threads.stage);
    const Band &own = *threads.body.back();
    const bool at_root = threads.stage == facts.kernel.stage;
    const std::span<Interval> first = scratch.array<Interval>(stage.loops.size());
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const Loop &loop = stage.loops[i];
        if (is_outside_threads(dag, threads, i)) {
            first[i] = typical_iteration(loop);
        } else if (!loop.parallel && !is_shared_reduction(dag, facts.kernel, threads, i)) {
            first[i] = loop.range;
        } else {
            const bool pure = loop.dim >= 0;
            const int64_t start = at_root ? facts.block_ranges[i].min
                                  : pure  ? facts.block->box(stage.func)[loop.dim].min
                                          : loop.range.min;
            first[i] = Interval::from_extent(start, own.trips[i]);
        }
    }
    return first;
}

// Finds how far the regions of Funcs computed in the threads move along one axis: over several
// threads, because an upsampled access moves by less than one point.
void find_steps(const KernelFacts &facts, const ThreadFacts &threads, size_t axis,
                std::span<const FuncId> members, std::span<StageFacts> stages,
                ExtractionScratch &scratch) {
    constexpr int64_t kThreads = 8;
    const Band &band = *threads.band;
    const int loop = band.axes[axis];
    const std::span<Interval> later = scratch.array<Interval>(threads.ranges.size());
    std::ranges::copy(threads.ranges, later.begin());
    later[loop].min += kThreads * band.body.back()->trips[loop];
    later[loop].max += kThreads * band.body.back()->trips[loop];
    RegionSet &moved = scratch.regions();
    propagate(facts.dag, band.stage, later, members, moved);
    for (StageFacts &stage : stages) {
        if (stage.owns_threads() || !moved.touched(stage.func)) continue;
        const std::span<const Interval> here = threads.regions->box(stage.func);
        const std::span<const Interval> there = moved.box(stage.func);
        const std::span<double> steps = scratch.array<double>(there.size());
        for (size_t d = 0; d < steps.size(); ++d) {
            const double distance =
                static_cast<double>(there[d].min) - static_cast<double>(here[d].min);
            steps[d] = distance / kThreads;
        }
        stage.steps[axis] = steps;
    }
}

}  // namespace

void find_threads(const KernelFacts &facts, ThreadFacts &threads, std::span<StageFacts> stages,
                  ExtractionScratch &scratch) {
    const Band &band = *threads.band;
    const ActiveThreads active = active_threads(facts, band);
    threads.threads = active.threads;
    threads.warps = active.warps;
    threads.loop_iterations = loop_iterations_of(facts, band);
    threads.atomic = uses_atomics(facts.dag, facts.kernel, band);
    threads.ranges = first_thread(facts, band, scratch);
    const std::vector<FuncId> members = members_below(facts.dag, facts.kernel, band);
    RegionSet &regions = scratch.regions();
    propagate(facts.dag, band.stage, threads.ranges, members, regions);
    threads.regions = &regions;
    if (stages.size() == 1) return;  // nothing is computed in the threads
    for (size_t axis = 0; axis < band.axes.size(); ++axis) {
        find_steps(facts, threads, axis, members, stages, scratch);
    }
}

}  // namespace autoschedule_gpu
