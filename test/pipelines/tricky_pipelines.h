// Random pipelines of what autoschedulers stumble over: indices that no bound follows from, values
// that few APIs compute with, parameters without estimates, Funcs that users have scheduled. Two to
// five kinds of them in a row. The random pipelines beside them (learn/random_pipelines) are those
// that a cost model learns from.
#pragma once

#include <cstdint>

#include "learn/random_pipelines/pipeline_case.h"

namespace autoschedule_gpu::testing {

using namespace random_pipelines;

// The same seed gives the same pipeline on every machine. All values are integers, so that it gives
// the same result however it is scheduled.
PipelineCase make_tricky_pipeline(uint64_t seed);

}  // namespace autoschedule_gpu::testing
