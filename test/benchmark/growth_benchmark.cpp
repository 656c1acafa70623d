// How time and memory grow with the number of stages: one search, or one space, per line. Nearly
// linear growth is wanted, which is to say a steady time_per_stage.
#include "benchmark/growing_dags.h"
#include "benchmark/measured_search.h"
#include "scheduler/space/space.h"

namespace autoschedule_gpu {
namespace {

constexpr uint64_t kSeed = 1;
constexpr int kBeam = 32;

Dag chain(int stages) {
    return example::chain(stages);
}
Dag pyramids(int stages) {
    return example::pyramids(stages);
}
Dag random(int stages) {
    return example::random_pipeline(kSeed, stages);
}

Dag siblings(int stages) {
    return example::siblings(stages);
}

using MakeDag = Dag(int stages);

Dag dag_of(const benchmark::State &state, MakeDag *make) {
    return make(static_cast<int>(state.range(0)));
}

void sizes(benchmark::internal::Benchmark *benchmark) {
    benchmark->ArgName("stages")->Unit(benchmark::kMillisecond)->Iterations(1);
    for (int stages : {10, 30, 100, 300, 1000}) benchmark->Arg(stages);
}

void growth_space(benchmark::State &state, MakeDag *make) {
    const Dag dag = dag_of(state, make);
    const GpuModel gpu = find_preset("a100").value();
    for (auto _ : state) {
        benchmark::DoNotOptimize(SearchSpace(dag, gpu, RuleBook(), Freedom::full));
    }
    state.counters["time_per_stage"] = benchmark::Counter(
        static_cast<double>(dag.stages.size()),
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void growth_pass(benchmark::State &state, MakeDag *make) {
    measure_pass(state, dag_of(state, make), kBeam);
}

void growth_search(benchmark::State &state, MakeDag *make) {
    measure_search(state, dag_of(state, make), usual_search());
}

void growth_grouping(benchmark::State &state, MakeDag *make) {
    measure_grouping(state, dag_of(state, make));
}

void growth_launches(benchmark::State &state, MakeDag *make) {
    measure_launches(state, dag_of(state, make));
}

void growth_free(benchmark::State &state, MakeDag *make) {
    SearchOptions options = usual_search();
    options.freeze = Switch::off;
    measure_search(state, dag_of(state, make), options);
}

BENCHMARK_CAPTURE(growth_space, chain, chain)->Name("growth/space/chain")->Apply(sizes);
BENCHMARK_CAPTURE(growth_space, pyramids, pyramids)->Name("growth/space/pyramids")->Apply(sizes);
BENCHMARK_CAPTURE(growth_space, random, random)->Name("growth/space/random")->Apply(sizes);
BENCHMARK_CAPTURE(growth_pass, chain, chain)->Name("growth/pass/chain")->Apply(sizes);
BENCHMARK_CAPTURE(growth_pass, pyramids, pyramids)->Name("growth/pass/pyramids")->Apply(sizes);
BENCHMARK_CAPTURE(growth_pass, random, random)->Name("growth/pass/random")->Apply(sizes);
BENCHMARK_CAPTURE(growth_search, chain, chain)->Name("growth/search/chain")->Apply(sizes);
BENCHMARK_CAPTURE(growth_search, pyramids, pyramids)->Name("growth/search/pyramids")->Apply(sizes);
BENCHMARK_CAPTURE(growth_search, random, random)->Name("growth/search/random")->Apply(sizes);
BENCHMARK_CAPTURE(growth_grouping, chain, chain)->Name("growth/grouping/chain")->Apply(sizes);
BENCHMARK_CAPTURE(growth_grouping, pyramids, pyramids)
    ->Name("growth/grouping/pyramids")
    ->Apply(sizes);
BENCHMARK_CAPTURE(growth_grouping, random, random)->Name("growth/grouping/random")->Apply(sizes);
BENCHMARK_CAPTURE(growth_launches, chain, chain)->Name("growth/launches/chain")->Apply(sizes);
BENCHMARK_CAPTURE(growth_launches, pyramids, pyramids)
    ->Name("growth/launches/pyramids")
    ->Apply(sizes);
BENCHMARK_CAPTURE(growth_launches, random, random)->Name("growth/launches/random")->Apply(sizes);
BENCHMARK_CAPTURE(growth_launches, siblings, siblings)
    ->Name("growth/launches/siblings")
    ->Apply(sizes);
BENCHMARK_CAPTURE(growth_free, chain, chain)->Name("growth/free/chain")->Apply(sizes);
BENCHMARK_CAPTURE(growth_free, pyramids, pyramids)->Name("growth/free/pyramids")->Apply(sizes);
BENCHMARK_CAPTURE(growth_free, random, random)->Name("growth/free/random")->Apply(sizes);

}  // namespace
}  // namespace autoschedule_gpu
