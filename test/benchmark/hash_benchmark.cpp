// Hashes of kernels and nests (scheduler/nest/nest.h, scheduler/nest/structure.h): one hash per
// iteration.
#include "benchmark/growing_dags.h"
#include "benchmark/over_cases.h"
#include "benchmark/subject.h"
#include "scheduler/nest/structure.h"

namespace autoschedule_gpu {
namespace {

using example::Subject;

// A nest in which every Func that may is a kernel of its own.
State all_at_root(const example::Search &search) {
    return plain_state(search.space, search.model);
}

void hash_nest(benchmark::State &state) {
    const example::Search search(example::pyramids(static_cast<int>(state.range(0))));
    const Nest nest = all_at_root(search).nest;
    for (auto _ : state) benchmark::DoNotOptimize(nest.hash());
    state.counters["kernels"] = static_cast<double>(nest.kernels.size());
}
BENCHMARK(hash_nest)->Name("hash/nest")->Apply(small_and_large);

void hash_structure_of_nest(benchmark::State &state) {
    const example::Search search(example::pyramids(static_cast<int>(state.range(0))));
    const Nest nest = all_at_root(search).nest;
    for (auto _ : state) benchmark::DoNotOptimize(structural_hash(nest, kDeepestStructure - 1));
    state.counters["kernels"] = static_cast<double>(nest.kernels.size());
}
BENCHMARK(hash_structure_of_nest)->Name("hash/structure_of_nest")->Apply(small_and_large);

void hash_structure_of_kernel(benchmark::State &state) {
    const Subject subject(30);
    const int depth = static_cast<int>(state.range(0));
    over_cases(state, subject.kernels(), [&](const KernelPtr &kernel) {
        benchmark::DoNotOptimize(structural_hash(*kernel, depth));
    });
}
BENCHMARK(hash_structure_of_kernel)
    ->Name("hash/structure_of_kernel")
    ->ArgName("depth")
    ->DenseRange(0, kDeepestStructure);

}  // namespace
}  // namespace autoschedule_gpu
