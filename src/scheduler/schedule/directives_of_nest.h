// A nest as scheduling directives: the one place where loop levels become
// splits, block and thread loops, compute and storage levels.
#pragma once

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

// `nest` must be complete and pass nest/check. Funcs come in Halide's order (producers first);
// inlined Funcs need no directive. Loops that are made are named after the loop they come from:
// x_b (blocks), x_t (threads), x_s (serial in a thread), x_i (threads and serial together), with
// the update's number where a Func has several stages.
Schedule directives(const Dag &dag, const Nest &nest);

}  // namespace autoschedule_gpu
