// The modes of Anderson et al. 2021 (section 6), from a batch of random schedules: 80 of them,
// one by the full search and 79 by greedy ones.
//
//     one-shot  the one that the cost model thinks best
//     top5      the five that it thinks best are measured
//     autotune  all are measured and the model is retrained, 20 times
//
// What spills registers is left out
// (spill_filter.h): of the whole batch in the first two modes, of each part that is tried between
// two looks at the clock in the third, and nothing of what single workers try.
#pragma once

#include <vector>

#include "lab/workloads/schedule_request.h"
#include "lab/workloads/workload.h"
#include "tune/strategies/tune_options.h"

namespace autoschedule_gpu {

// Returns the draws of one iteration; the first iteration is 0.
std::vector<ScheduleRequest> draws_of(const TuneOptions &options, const Workload &workload,
                                      int iteration);

}  // namespace autoschedule_gpu
