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
// `conditions.settle` has the plugin put them in place (halide/apply/settle.h).
#pragma once

#include <string>

#include "core/dag/dag.h"
#include "core/support/error.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

// `dag`: the pipeline that the schedule was made for; `factored`: after the reductions that it
// takes apart. Ends with a line break. An Error for a schedule for several sizes: it is about
// copies of Funcs, which the binding can't make.
Result<std::string> python_source(const Schedule &schedule, const Dag &dag, const Dag &factored);

}  // namespace autoschedule_gpu
