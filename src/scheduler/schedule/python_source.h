// A schedule as Python text: a module with
//
//     def apply_schedule(pipeline):
//
// which makes the calls on a pipeline of Halide's Python binding that halide/apply makes on one of
// C++, and so gives the same code. Funcs are found by position (Pipeline.get_func), the algorithm's
// loops by theirs among Func.args() and Func.rvars().
//
// The binding takes conditions of `specialize` on parameters only. Those on what is computed of a
// Func and on how buffers lie come from the package `autoschedule_gpu` (src/python), whose
// `conditions.settle` has the plugin put them in place (halide/apply/settle.h). Of several
// schedules, each for its sizes, each is a function; copies of the pipeline for them, which the
// binding can't make, come from `sizes` of the package (halide/apply/sizes_by_binding.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

// `dag`: the pipeline that the schedule was made for; `factored`: after the reductions that it
// takes apart. Ends with a line break.
std::string python_source(const Schedule &schedule, const Dag &dag, const Dag &factored);

// The same of several schedules, each for its sizes (scheduler/schedule/size_sections.h), with the
// pipeline after what each takes apart.
std::string python_source(const Schedule &schedule, const Dag &dag,
                          const std::vector<std::shared_ptr<const Dag>> &factored);

}  // namespace autoschedule_gpu
