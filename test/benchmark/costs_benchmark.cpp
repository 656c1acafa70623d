// Costs of a batch of kernels (scheduler/search/kernel_costs.h, scheduler/search/memo.h): one batch
// per iteration, one item per kernel. One thread.
#include <benchmark/benchmark.h>

#include "benchmark/subject.h"
#include "scheduler/search/memo.h"

namespace autoschedule_gpu {
namespace {

using example::Search;
using example::Subject;

constexpr size_t kMemoBytes = size_t{64} << 20;

struct Batch {
    Batch() : kernels(subject.kernels()), costs(kernels.size()) {}

    // Everything anew in each iteration.
    void run(benchmark::State &state, KernelCosts &evaluation) {
        for (auto _ : state) {
            evaluation.compute(kernels, costs);
            benchmark::DoNotOptimize(costs.data());
            benchmark::ClobberMemory();
        }
        state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kernels.size()));
    }

    const Subject subject{30};
    const Search &search = subject.search;
    ThreadPool pool{1};
    ModelCosts model{search.dag, search.gpu, search.model, pool};
    std::vector<KernelPtr> kernels;
    std::vector<double> costs;
};

void costs_model(benchmark::State &state) {
    Batch batch;
    batch.run(state, batch.model);
}
BENCHMARK(costs_model)->Name("costs/model");

// All kernels are known but for the first time.
void costs_remembered(benchmark::State &state) {
    Batch batch;
    MemoisedCosts memo(batch.model, kMemoBytes);
    memo.compute(batch.kernels, batch.costs);
    batch.run(state, memo);
}
BENCHMARK(costs_remembered)->Name("costs/remembered");

// No kernel is known: against costs/model, what the memo costs where it doesn't help.
void costs_not_remembered(benchmark::State &state) {
    Batch batch;
    for (auto _ : state) {
        MemoisedCosts memo(batch.model, kMemoBytes);
        memo.compute(batch.kernels, batch.costs);
        benchmark::DoNotOptimize(batch.costs.data());
    }
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(batch.kernels.size()));
}
BENCHMARK(costs_not_remembered)->Name("costs/not_remembered");

}  // namespace
}  // namespace autoschedule_gpu
