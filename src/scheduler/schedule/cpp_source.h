// A schedule as C++ text: what goes into AutoSchedulerResults::schedule_source. Halide makes of it
// the body of
//
//     inline void apply_schedule_NAME(::Halide::Pipeline pipeline, ::Halide::Target target)
//
// in the header that a generator writes with `-e schedule`. Called from the schedule() method of
// the same generator, with that generator's pipeline, the header makes the calls that
// halide/apply makes, and so gives the same code.
//
// The text finds Funcs by position (Pipeline::get_func) and the algorithm's loops by their
// position in the unscheduled stage: names of Funcs and Vars that contain a `$` differ from build
// to build. It compiles without warnings under -Wall -Wextra.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

// `dag` must be the one that the schedule was made for (check_against in
// scheduler/schedule/trace.h). The text ends without a line break.
std::string cpp_source(const Schedule &schedule, const Dag &dag);

// The same of a schedule that takes reductions apart (scheduler/schedule/factors.h): `factored` is
// the pipeline after that.
std::string cpp_source(const Schedule &schedule, const Dag &dag, const Dag &factored);

// The same of several schedules, each for its sizes (scheduler/schedule/size_sections.h), with the
// pipeline after what each takes apart.
std::string cpp_source(const Schedule &schedule, const Dag &dag,
                       const std::vector<std::shared_ptr<const Dag>> &factored);

}  // namespace autoschedule_gpu
