// Trial lowering in a process of its own: a fork of this one, which lowers, reports and ends. So
//   - a crash or a hang of the compiler under a bad schedule costs that schedule, not the user's
//     process;
//   - Halide's process-wide counters of temporary names do not move, and the code lowered
//     afterwards is the same, name by name, as if there had been no trial;
//   - warnings are not printed twice.
#pragma once

#include "halide/lower/trial_lower.h"

namespace autoschedule_gpu {

// As trial_lower. Where no process can be forked, the trial is made in this one. A child that runs
// longer than `time_limit_s` is killed, and the schedule refused. Waits for the child alone; signal
// handlers and other children of the process are left alone.
Result<TrialLowering> trial_lower_apart(const Schedule &schedule, const Halide::Pipeline &pipeline,
                                        const Halide::Target &target, double time_limit_s,
                                        const CodeCheck &check = {});

}  // namespace autoschedule_gpu
