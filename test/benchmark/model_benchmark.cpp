// The cost model on a batch of feature tables (model/roofline.h): one batch per iteration, one item
// per table.
#include <benchmark/benchmark.h>

#include "benchmark/subject.h"
#include "features/feature_extractor.h"
#include "model/roofline.h"

namespace autoschedule_gpu {
namespace {

using example::Subject;

void model_roofline(benchmark::State &state) {
    const Subject subject(30);
    FeatureExtractor extractor(subject.search.dag, subject.search.gpu);
    std::vector<FeatureTable> tables;
    size_t rows = 0;
    for (const KernelPtr &kernel : subject.kernels()) {
        tables.push_back(extractor.extract(*kernel));
        rows += tables.back().stages.size();
    }
    std::vector<double> costs(tables.size());
    for (auto _ : state) {
        subject.search.model.estimate(tables, costs);
        benchmark::DoNotOptimize(costs.data());
        benchmark::ClobberMemory();
    }
    using benchmark::Counter;
    state.counters["rows_per_second"] =
        Counter(static_cast<double>(rows), Counter::kIsRate | Counter::kIsIterationInvariant);
    state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(tables.size()));
}
BENCHMARK(model_roofline)->Name("model/roofline");

}  // namespace
}  // namespace autoschedule_gpu
