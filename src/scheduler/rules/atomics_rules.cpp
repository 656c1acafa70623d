// Where blocks or threads may share the reduction loops of a stage and meet in atomic operations,
// of stages for which Halide would accept it.
#include <algorithm>

#include "scheduler/rules/families.h"

namespace autoschedule_gpu {

namespace {

Verdict rounds_differently(const TilingCandidate &c) {
    return c.dag.stage(c.stage).atomics == Atomics::rounding ? Verdict(Finding{}) : std::nullopt;
}

Verdict lanes_have_work(const TilingCandidate &c) {
    if (std::ranges::none_of(c.tiling, &LoopTile::atomic)) return std::nullopt;
    const Stage &stage = c.dag.stage(c.stage);
    int64_t independent = 1;
    for (const Loop &loop : stage.loops) {
        if (!loop.parallel) continue;
        independent *= estimated_range(c.dag, stage, loop).extent();
    }
    const int64_t lanes = c.gpu.sm_count * c.gpu.max_threads_per_sm;
    if (independent < lanes) return std::nullopt;
    return Finding{double(independent), double(lanes - 1), "independent iterations"};
}

}  // namespace

std::vector<AnyRule> atomics_rules() {
    return {
        TilingRule{{"inexact_atomics",
                    "sums of floating-point values by atomic operations, whose order, and so whose "
                    "rounding, is another in every run"},
                   TilingCandidate::Asked::sharing,
                   rounds_differently},
        TilingRule{{"ample_parallelism",
                    "atomic operations where the loops without them give every lane of the device "
                    "work"},
                   TilingCandidate::Asked::sharing,
                   lanes_have_work},
    };
}

}  // namespace autoschedule_gpu
