// Directives of one schedule, each of which is checked before Halide sees it: what would make
// Halide abort, or mean nothing, is an Error.
#pragma once

#include <Halide.h>

#include <vector>

#include "core/support/error.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

// Applies them in order. `funcs`: by their numbers. `first`: the number of the first directive, for
// messages. Returns all Funcs, with those that were made.
Result<std::vector<Halide::Func>> apply_directives(const Schedule &schedule,
                                                   std::vector<Halide::Func> funcs, size_t first);

}  // namespace autoschedule_gpu
