// The parameter `candidates`: what lists of decisions are worth, none of which is lowered or
// compiled, for tuners that look at thousands before they measure one.
//
//     candidates ─► follow ─► features ─► cost model ─► candidates_out
//
// A line of the file is a list of decisions as JSON; a line of the result, at the same place, is
//
//     {"schedule": "00c0ffee00c0ffee", "cost_ns": 1234.5}     or
//     {"refused": "decision 5, place of \"blur_x\", \"block\": ..."}
//
// where `schedule` is equal for equal directives. Halide may still refuse what has a cost here.
#pragma once

#include "core/support/error.h"
#include "plugins/autoscheduler/find_schedule.h"

namespace autoschedule_gpu {

// Nothing to do if no candidates are given. A list that is refused is no error; files that can't be
// read or written are.
Status price_candidates(const ScheduleTask &task);

}  // namespace autoschedule_gpu
