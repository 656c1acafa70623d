// Searches of small pipelines (scheduler/strategies/composition.h): one per iteration.
#include "benchmark/growing_dags.h"
#include "benchmark/measured_search.h"
#include "unit/example_dags.h"

namespace autoschedule_gpu {
namespace {

void search_pass(benchmark::State &state) {
    measure_pass(state, example::pyramids(30), static_cast<int>(state.range(0)));
}
BENCHMARK(search_pass)
    ->Name("search/pass/pyramids_30")
    ->ArgName("beam")
    ->Arg(1)
    ->Arg(8)
    ->Arg(32)
    ->Unit(benchmark::kMillisecond);

void search_whole(benchmark::State &state, const Dag &dag) {
    measure_search(state, dag, usual_search());
}
BENCHMARK_CAPTURE(search_whole, stencils, example::two_stencils(1536, 1024))
    ->Name("search/whole/two_stencils")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search_whole, matmul, example::matmul(512))
    ->Name("search/whole/matmul")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search_whole, histogram, example::histogram(512, 256))
    ->Name("search/whole/histogram")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace autoschedule_gpu
