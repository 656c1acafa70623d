// Random legal pipelines: for finding faults in an autoscheduler, and for teaching a cost model.
// Whatever a seed names is unscheduled, has estimates on all inputs and outputs, and gives the same
// result (floats: within a small tolerance) however it is scheduled. The same seed gives the same
// pipeline on every machine.
#pragma once

#include <cstdint>

#include "learn/random_pipelines/pipeline_case.h"

namespace autoschedule_gpu::random_pipelines {

using RandomPipeline = PipelineCase;

// Odd sizes, a millisecond's work. `wide_types` adds int64 and double.
RandomPipeline make_random_pipeline(uint64_t seed, bool wide_types = false);

// How much work: for milliseconds on a CPU, or for more than the launches of a large GPU take.
enum class Work : uint8_t { small, large };

// Worth timing, and right for inputs of any values.
RandomPipeline make_timed_pipeline(uint64_t seed, Work work);

}  // namespace autoschedule_gpu::random_pipelines
