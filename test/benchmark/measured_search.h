// Searches as benchmarks measure them: with the roofline model on an A100, on one thread, without a
// limit of time. What is measured as a search is what users get, but for Halide: the composition
// (scheduler/strategies/composition.h) with a judge that accepts everything.
#pragma once

#include <benchmark/benchmark.h>

#include "core/dag/dag.h"
#include "scheduler/search/options.h"

namespace autoschedule_gpu {

SearchOptions usual_search();

// One search per iteration. Counters: README.md.
void measure_search(benchmark::State &state, const Dag &dag, const SearchOptions &options);

// The same of the strategy greedy_grouping, with nested fusion and by the analytical model.
void measure_grouping(benchmark::State &state, const Dag &dag);

// One pass of the beam over the steps per iteration, with nothing before or after it.
void measure_pass(benchmark::State &state, const Dag &dag, int beam_size);

// Which kernels share a launch, one per Func and each as the default tiling has it, per iteration.
// `launches` and `kernels`: of the result.
void measure_launches(benchmark::State &state, const Dag &dag);

}  // namespace autoschedule_gpu
