#include "scheduler/schedule/write/thread_stage.h"

#include <optional>

#include "scheduler/nest/step_vectors.h"
#include "scheduler/schedule/write/stage_loops.h"
#include "scheduler/schedule/write/steps_of_copies.h"
#include "scheduler/schedule/write/unrolling.h"
#include "scheduler/schedule/write/vectors.h"

namespace autoschedule_gpu::writing {

namespace {

void write_innermost(DirectiveList &out, const Kernel &kernel, const Band &inner, Tiles tiles) {
    const StageId id = inner.stage;
    StageLoops loops = thread_level_loops(out.dag(), inner);
    const std::optional<StepVectors> fours = step_vectors(out.dag(), kernel, id);
    if (!fours) split_steps(out, inner, loops, tiles);
    out.reorder(id, serial_loops(out.dag(), inner, loops));
    const std::optional<LoopRef> channels = take_channels(out.dag(), kernel, id, loops, tiles);
    unroll(out, inner, loops, tiles);
    if (channels) {
        out.add(id, DirectiveOp::vectorize).loops = {*channels};
    } else if (fours) {
        write_four_steps(out, kernel, id, *fours, tiles);
    } else {
        vectorize_rows(out, kernel, id, loops, tiles);
    }
}

}  // namespace

void write_thread_stage(DirectiveList &out, const Kernel &kernel, const Band &threads,
                        StageId stage, Tiles tiles) {
    for (const BandPtr &inner : threads.body) {
        if (inner->stage == stage) write_innermost(out, kernel, *inner, tiles);
    }
}

}  // namespace autoschedule_gpu::writing
