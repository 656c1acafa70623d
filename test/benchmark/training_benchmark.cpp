// Training the cost model (learn/train/trainer.h): one epoch per iteration, judged on held-out
// pipelines.
#include <benchmark/benchmark.h>

#include "learn/train/trainer.h"
#include "unit/learn/train/synthetic_samples.h"

namespace autoschedule_gpu {
namespace {

// Each pipeline has 100 schedules of 8 stages.
void training_epoch(benchmark::State &state) {
    const SampleFile file = synthetic::samples(
        {.pipelines = static_cast<size_t>(state.range(0)), .schedules = 100, .stages = 8});
    const Dataset dataset = make_dataset(std::vector<NamedSampleFile>{{"synthetic", file}}).value();
    std::vector<const PipelineSamples *> training, held_out;
    for (const PipelineSamples &pipeline : dataset.pipelines) {
        (training.size() < dataset.pipelines.size() * 6 / 7 ? training : held_out)
            .push_back(&pipeline);
    }
    const Network start = fresh_network(training, 0);
    ThreadPool pool(0);
    for (auto _ : state) {
        benchmark::DoNotOptimize(train(start, training, held_out, {.epochs = 1}, pool,
                                       [](const Epoch &) { return true; }));
    }
    using benchmark::Counter;
    state.counters["samples_per_second"] = Counter(
        static_cast<double>(dataset.schedules), Counter::kIsRate | Counter::kIsIterationInvariant);
}
BENCHMARK(training_epoch)
    ->Name("training/epoch")
    ->ArgName("pipelines")
    ->Arg(10)
    ->Arg(100)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace autoschedule_gpu
