// Random legal pipelines. Whatever a seed names is unscheduled, has estimates on all inputs and
// outputs, is small enough to run in milliseconds, and gives the same result (floats: within a
// small tolerance) however it is scheduled.
#pragma once

#include <cstdint>

#include "pipelines/pipeline_case.h"

namespace autoschedule_gpu::testing {

using RandomPipeline = PipelineCase;

// The same seed gives the same pipeline on every machine. `wide_types` adds int64 and double.
RandomPipeline make_random_pipeline(uint64_t seed, bool wide_types = false);

}  // namespace autoschedule_gpu::testing
