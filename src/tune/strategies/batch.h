// The modes of Anderson et al. 2021 (section 6), from a batch of random schedules: 80 of them,
// one by the full search and 79 by greedy ones.
//
//     one-shot  the one that the cost model thinks best
//     top5      the five that it thinks best are measured
//     autotune  all are measured and the model is retrained, 20 times
//
// In the first two modes, what spills registers is left out of the whole batch (spill_filter.h).
// Schedules of a batch differ in their code: what leads to code that is known is drawn again, and
// left out where a number of draws lead to nothing new. It is no trial, and is not run.
#pragma once

#include <cstdint>

#include "lab/workloads/schedule_request.h"
#include "lab/workloads/workload.h"
#include "tune/strategies/tune_options.h"

namespace autoschedule_gpu {

// The draws of one iteration; the first iteration is 0. What they are made of must outlive them.
class BatchDraws {
public:
    BatchDraws(const TuneOptions &options, const Workload &workload, int iteration);

    // Of that number in the batch, after so many draws of it in vain; below kMostRedraws.
    ScheduleRequest draw(int number, int redraws) const;

private:
    const Sampler &sampler_;
    const Workload &workload_;
    uint64_t seed_;
};

}  // namespace autoschedule_gpu
