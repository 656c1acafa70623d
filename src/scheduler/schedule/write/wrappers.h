// Wrappers (Halide's Func::in): which of those that could be are made.
#pragma once

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"
#include "scheduler/schedule/write/directive_list.h"

namespace autoschedule_gpu::writing {

// They come first: others may be computed in their loops. Those that users have made are found by
// the call that would make them.
void write_wrappers(DirectiveList &out, const Nest &nest);

// Behind those of all Funcs. Numbers of wrappers that nobody makes are free, so that a schedule is
// the same whatever else could have been staged.
int first_free_number(const Dag &dag, const Nest &nest);

}  // namespace autoschedule_gpu::writing
