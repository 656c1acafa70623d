// Subjects and what becomes of their draws, without anything that runs.
#pragma once

#include <string>

#include "collect/miss_log.h"
#include "collect/sampler.h"
#include "collect/subject.h"
#include "unit/samples/example_samples.h"

namespace autoschedule_gpu {

inline Subject example_subject(const std::string &pipeline, const std::string &size = "small") {
    return {.pipeline = pipeline, .size = size, .generator = "g", .generator_name = pipeline};
}

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
