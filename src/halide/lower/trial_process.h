// Trial lowering in a process of its own: a fork of this one, which lowers, reports and ends.
// Therefore
//   - a crash or a hang of the compiler costs the one schedule that caused it, not the user's
//     process;
//   - Halide's process-wide counters of temporary names do not advance, and code lowered
//     afterwards is the same, name by name, as if there had been no trial;
//   - warnings are not printed twice.
#pragma once

#include "halide/lower/trial_lower.h"

namespace autoschedule_gpu {

// Does what trial_lower does, in a child. Where no process can be forked, the trial is made in this
// one. A child that runs longer than `time_limit_s` is killed, and the schedule is refused. Only
// that child is waited for; signal handlers and other children of the process are left alone.
Result<TrialLowering> trial_lower_apart(const Schedule &schedule, const Halide::Pipeline &pipeline,
                                        const Halide::Target &target, double time_limit_s,
                                        const CodeCheck &check = {});

}  // namespace autoschedule_gpu
