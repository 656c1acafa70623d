// What becomes of the draws of a subject, without anything that runs.
#pragma once

#include <string>

#include "collect/miss_log.h"
#include "trial/sampler.h"
#include "unit/samples/example_samples.h"
#include "unit/trial/example_subjects.h"

namespace autoschedule_gpu {

inline Sample sample_of(const Subject &subject, const Draw &draw, uint64_t code_hash) {
    Sample sample = example_sample(draw.schedule);
    sample.pipeline = subject.pipeline;
    sample.code_hash = code_hash;
    return sample;
}

inline Miss miss_of(const Subject &subject, const Draw &draw,
                    std::optional<FailureKind> kind = FailureKind::crash) {
    return {.pipeline = subject.pipeline,
            .schedule = draw.schedule,
            .kind = kind,
            .reason = "the run was ended by signal 11",
            .command = "pipeline_runner run",
            .code_hash = 0xabc};
}

}  // namespace autoschedule_gpu
