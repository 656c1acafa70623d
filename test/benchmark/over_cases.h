// The loop of a benchmark that takes its cases in turn, one per iteration.
#pragma once

#include <benchmark/benchmark.h>

#include <vector>

namespace autoschedule_gpu {

// The time of an iteration is the mean over the cases, of which there must be some.
template <typename Case, typename Body>
void over_cases(benchmark::State &state, const std::vector<Case> &cases, Body body) {
    if (cases.empty()) {
        state.SkipWithError("there is no such case");
        return;
    }
    size_t next = 0;
    for (auto _ : state) {
        body(cases[next]);
        if (++next == cases.size()) next = 0;
    }
    state.counters["cases"] = static_cast<double>(cases.size());
    state.SetItemsProcessed(state.iterations());
}

// Pipelines of so many stages: what a function costs should not depend on it.
inline void small_and_large(benchmark::internal::Benchmark *benchmark) {
    benchmark->ArgName("pipeline")->Arg(30)->Arg(1000);
}

// Stages that are computed inside the kernel of another: a function may cost as much more.
inline void few_and_many_members(benchmark::internal::Benchmark *benchmark) {
    benchmark->ArgName("members")->Arg(1)->Arg(4)->Arg(16);
}

}  // namespace autoschedule_gpu
