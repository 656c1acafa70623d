// Applies a schedule to Halide Funcs. Halide's exceptions end here (halide_error.h): a refusal
// comes back as an Error with Halide's own text. Nothing here prints. Different threads may handle
// different pipelines.
#pragma once

#include <Halide.h>

#include <vector>

#include "core/support/error.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

// Applies the directives to the Funcs of `pipeline`, in order; `Directive::func` indexes
// Pipeline::get_func. The stages that the schedule names must not have been scheduled before. If
// Halide refuses a directive, the Error names it by position (the first is 1) and text; the
// pipeline is then partly scheduled and must be thrown away. So try on a copy first
// (halide/lower/trial_lower.h).
Status apply_schedule(const Schedule &schedule, Halide::Pipeline pipeline);

// The same, and returns all Funcs by their numbers: those of Pipeline::get_func before, and those
// that the schedule makes.
Result<std::vector<Halide::Func>> scheduled_funcs(const Schedule &schedule,
                                                  Halide::Pipeline pipeline);

// Applies what takes reductions apart (scheduler/schedule/factors.h), and returns all Funcs by
// their numbers: those of Pipeline::get_func before, and those that were made.
Result<std::vector<Halide::Func>> apply_factors(const Schedule &factors, Halide::Pipeline pipeline);

// Returns the Funcs in the order of Pipeline::get_func, which rebuilds its list at every call.
std::vector<Halide::Func> all_funcs(const Halide::Pipeline &pipeline);

// Returns a pipeline over deep copies of all Funcs: scheduling it leaves the original alone. Its
// Func indices (Pipeline::get_func) are the original's.
Halide::Pipeline deep_copy_pipeline(const Halide::Pipeline &pipeline);

}  // namespace autoschedule_gpu
