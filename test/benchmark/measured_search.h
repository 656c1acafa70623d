// Searches as benchmarks measure them: with the roofline model on an A100, on one thread, without a
// limit of time.
#pragma once

#include <benchmark/benchmark.h>

#include "search/search.h"

namespace autoschedule_gpu {

// What a user gets; reads are staged after such a search.
SearchOptions usual_search();

// One pass of the beam over the steps, with nothing before or after it.
SearchOptions one_pass(int beam_size);

// One search per iteration. Counters: README.md.
void measure_search(benchmark::State &state, Dag dag, SearchOptions options);

// One greedy grouping per iteration, with nested fusion and by the analytical model.
void measure_grouping(benchmark::State &state, Dag dag);

}  // namespace autoschedule_gpu
