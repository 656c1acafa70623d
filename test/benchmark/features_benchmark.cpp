// Feature tables (scheduler/features/feature_extractor.h): one table per iteration. The extractor
// is the same throughout, as in a search, so that what it keeps about stages is made only once.
#include "benchmark/growing_dags.h"
#include "benchmark/over_cases.h"
#include "benchmark/subject.h"
#include "scheduler/features/feature_extractor.h"

namespace autoschedule_gpu {
namespace {

using example::Subject;

void features_extract(benchmark::State &state) {
    const Subject subject(static_cast<int>(state.range(0)));
    FeatureExtractor extractor(subject.search.dag, subject.search.gpu);
    size_t rows = 0;
    over_cases(state, subject.kernels(), [&](const KernelPtr &kernel) {
        const FeatureTable table = extractor.extract(*kernel);
        rows += table.stages.size();
        benchmark::DoNotOptimize(table.kernel.num_blocks);
    });
    using benchmark::Counter;
    state.counters["rows_per_second"] = Counter(static_cast<double>(rows), Counter::kIsRate);
}
BENCHMARK(features_extract)->Name("features/extract")->Apply(small_and_large);

void features_chain(benchmark::State &state) {
    const Dag dag = example::chain(static_cast<int>(state.range(0)) + 2);
    const GpuModel gpu = find_preset("a100").value();
    FeatureExtractor extractor(dag, gpu);
    const KernelPtr kernel = example::fused_chain(dag);
    for (auto _ : state) benchmark::DoNotOptimize(extractor.extract(*kernel).stages.data());
}
BENCHMARK(features_chain)->Name("features/extract_chain")->Apply(few_and_many_members);

}  // namespace
}  // namespace autoschedule_gpu
