// The cost models on a batch of feature tables: one batch per iteration, one item per table. And
// the network (scheduler/model/network.h) on inputs that are there already, as in training.
#include <benchmark/benchmark.h>

#include "benchmark/subject.h"
#include "scheduler/features/feature_extractor.h"
#include "scheduler/model/network_model.h"
#include "scheduler/model/roofline.h"

namespace autoschedule_gpu {
namespace {

using example::Subject;

struct Batch {
    explicit Batch(const Subject &subject) {
        FeatureExtractor extractor(subject.search.dag, subject.search.gpu);
        for (const KernelPtr &kernel : subject.kernels()) {
            tables.push_back(extractor.extract(*kernel));
            rows += tables.back().stages.size();
        }
    }

    std::vector<FeatureTable> tables;
    size_t rows = 0;
};

void count_rows(benchmark::State &state, const Batch &batch) {
    using benchmark::Counter;
    state.counters["rows_per_second"] =
        Counter(static_cast<double>(batch.rows), Counter::kIsRate | Counter::kIsIterationInvariant);
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(batch.tables.size()));
}

void estimates(benchmark::State &state, const Subject &subject, const CostModel &model) {
    const Batch batch(subject);
    std::vector<double> costs(batch.tables.size());
    for (auto _ : state) {
        model.estimate(batch.tables, costs);
        benchmark::DoNotOptimize(costs.data());
        benchmark::ClobberMemory();
    }
    count_rows(state, batch);
}

void model_roofline(benchmark::State &state) {
    const Subject subject(30);
    estimates(state, subject, subject.search.model);
}
BENCHMARK(model_roofline)->Name("model/roofline");

void model_network(benchmark::State &state) {
    const Subject subject(30);
    estimates(state, subject, NetworkModel(Network::initial(1), subject.search.gpu));
}
BENCHMARK(model_network)->Name("model/network");

void network_forward(benchmark::State &state) {
    const Subject subject(30);
    const Batch batch(subject);
    NetworkInputs inputs(subject.search.gpu);
    for (const FeatureTable &table : batch.tables) inputs.append(table);
    const Network network = Network::initial(1);
    std::vector<float> costs(inputs.rows());
    for (auto _ : state) {
        network.forward(inputs, costs, nullptr);
        benchmark::DoNotOptimize(costs.data());
        benchmark::ClobberMemory();
    }
    count_rows(state, batch);
}
BENCHMARK(network_forward)->Name("network/forward");

}  // namespace
}  // namespace autoschedule_gpu
