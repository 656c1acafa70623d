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
//
// With that the run is at its end. Halide would lower whatever schedule the pipeline had then,
// which takes longer than all the prices, so the plugin ends it by an error: a pipeline without a
// schedule is not to be taken for one with.
#pragma once

#include <string>

#include "core/support/error.h"
#include "plugins/autoscheduler/find_schedule.h"

namespace autoschedule_gpu {

// Returns the lines of the result. A list that is refused is no error; a file that can't be read
// is.
Result<std::string> price_candidates(const ScheduleTask &task);

}  // namespace autoschedule_gpu
