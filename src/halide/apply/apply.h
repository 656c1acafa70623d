// Applies a schedule to Halide Funcs. Halide's exceptions end here (halide_error.h): what it
// refuses comes back as an Error with Halide's own text. Nothing here prints. Different pipelines
// may be handled by different threads.
#pragma once

#include <Halide.h>

#include <vector>

#include "core/support/error.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

// Applies the directives to the Funcs of `pipeline`, in order; `Directive::func` indexes
// Pipeline::get_func. The stages that the schedule names must not have been scheduled before. What
// Halide refuses comes back as an Error that names the directive by position (the first is 1) and
// text; the pipeline is then partly scheduled and must be thrown away (so try on a copy first:
// halide/lower/trial_lower.h).
Status apply_schedule(const Schedule &schedule, Halide::Pipeline pipeline);

// The Funcs in the order of Pipeline::get_func, which rebuilds its list at every call.
std::vector<Halide::Func> all_funcs(const Halide::Pipeline &pipeline);

// A pipeline of its own over deep copies of all Funcs; what is scheduled there leaves the
// original alone. Func indices (Pipeline::get_func) agree with the original's.
Halide::Pipeline deep_copy_pipeline(const Halide::Pipeline &pipeline);

}  // namespace autoschedule_gpu
