// Random legal pipelines, for finding faults in an autoscheduler and for training a cost model.
// Each is unscheduled, has estimates on all inputs and outputs, and gives the same result (floats:
// within a small tolerance) however it is scheduled. The same seed gives the same pipeline on every
// machine.
#pragma once

#include <cstdint>

#include "learn/random_pipelines/pipeline_case.h"

namespace autoschedule_gpu::random_pipelines {

using RandomPipeline = PipelineCase;

// Which kinds of Funcs are drawn. A seed of a family stays the pipeline that it is: further kinds
// make a further family.
enum class Family : uint8_t {
    usual,    // what most pipelines are made of
    tricky,   // what is rare and has broken schedulers; also Funcs that are scheduled by hand,
              // Params without estimates, and buffers of any layout
    all,      // both in one pipeline
    clamped,  // the usual, and reads that are clamped to numbers, Params and sizes of images,
              // within the picture or beyond it
    tables,   // the usual, and small tables that are read at remainders of coordinates or by
              // channels, beside stencils; most rows are long multiples of four from 0 on
};

// Makes a pipeline of odd sizes that runs for about a millisecond. `wide_types` adds int64 and
// double.
RandomPipeline make_random_pipeline(uint64_t seed, bool wide_types = false,
                                    Family family = Family::usual);

// How long it runs: milliseconds on a CPU, or longer than launches take on a large GPU.
enum class Work : uint8_t { small, large };

// Makes a pipeline that is worth timing, and correct for inputs of any values.
RandomPipeline make_timed_pipeline(uint64_t seed, Work work);

}  // namespace autoschedule_gpu::random_pipelines
