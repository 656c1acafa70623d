#include "scheduler/schedule/write/unrolling.h"

#include "scheduler/schedule/write/loop_names.h"

namespace autoschedule_gpu::writing {

void split_steps(DirectiveList &out, const Band &inner, StageLoops &loops, Tiles tiles) {
    if (tiles == Tiles::any || inner.steps == 1) return;
    const Dag &dag = out.dag();
    const size_t i = *UnrolledLoops(dag, inner).stepped();
    const LoopRef rest = made(dag, inner.stage, i, "o"), steps = made(dag, inner.stage, i, "u");
    out.split(inner.stage, *loops.serial[i], rest, steps, inner.steps, TailStrategy::guard_with_if);
    loops.serial[i] = rest;
    loops.steps[i] = steps;
}

void unroll(DirectiveList &out, const Band &inner, const StageLoops &loops, Tiles tiles) {
    if (tiles == Tiles::any) return;
    const UnrolledLoops unrolled(out.dag(), inner);
    for (size_t i = 0; i < inner.trips.size(); ++i) {
        if (loops.steps[i]) out.add(inner.stage, DirectiveOp::unroll).loops = {*loops.steps[i]};
        if (!unrolled.is_whole(i) || !loops.serial[i] || inner.trips[i] == 1) continue;
        out.add(inner.stage, DirectiveOp::unroll).loops = {*loops.serial[i]};
    }
}

}  // namespace autoschedule_gpu::writing
