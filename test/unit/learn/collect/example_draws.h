// What becomes of the draws of a workload, without anything that runs.
#pragma once

#include <string>

#include "lab/workloads/sampler.h"
#include "learn/collect/failures_file.h"
#include "unit/lab/samples/example_samples.h"
#include "unit/lab/workloads/example_workloads.h"

namespace autoschedule_gpu {

inline Sample sample_of(const Workload &workload, const ScheduleRequest &draw, uint64_t code_hash) {
    Sample sample = example_sample(draw.schedule);
    sample.pipeline = workload.pipeline;
    sample.code_hash = code_hash;
    return sample;
}

inline FailedDraw failed_draw(const Workload &workload, const ScheduleRequest &draw,
                              std::optional<FailureKind> kind = FailureKind::crash) {
    return {.pipeline = workload.pipeline,
            .schedule = draw.schedule,
            .kind = kind,
            .reason = "the run was ended by signal 11",
            .command = "pipeline_runner run",
            .code_hash = 0xabc};
}

}  // namespace autoschedule_gpu
