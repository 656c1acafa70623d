#include "benchmark/measured_search.h"

#include <string_view>
#include <utility>

#include "benchmark/peak_memory.h"
#include "model/analytical.h"
#include "search/greedy_grouping.h"
#include "search/stage_reads.h"
#include "unit/search/searched.h"

namespace autoschedule_gpu {

namespace {

using benchmark::Counter;

// Phases of a search that the report times.
constexpr std::pair<std::string_view, double SearchTimes::*> kPhases[] = {
    {"freeze_%", &SearchTimes::freeze}, {"enumerate_%", &SearchTimes::enumerate},
    {"apply_%", &SearchTimes::apply},   {"evaluate_%", &SearchTimes::evaluate},
    {"select_%", &SearchTimes::select}, {"refine_%", &SearchTimes::refine},
    {"revise_%", &SearchTimes::revise}, {"stage_%", &SearchTimes::stage},
};

// Of one search; every other one of the benchmark is the same.
void write(benchmark::State &state, const SearchResult &result, size_t stages) {
    const SearchReport &report = result.report;
    const auto per_second = [&](uint64_t count) {
        return Counter(static_cast<double>(count), Counter::kIsIterationInvariantRate);
    };
    const auto time_per = [&](size_t count) {
        return Counter(static_cast<double>(count),
                       Counter::kIsIterationInvariantRate | Counter::kInvert);
    };
    state.counters["time_per_stage"] = time_per(stages);
    state.counters["time_per_step"] = time_per(static_cast<size_t>(report.steps));
    state.counters["states_per_second"] = per_second(report.states_scored);
    state.counters["kernels_per_second"] = per_second(report.kernels_evaluated);
    if (report.kernels_asked > 0) {
        state.counters["memo_%"] = 100.0 * static_cast<double>(report.memo_hits) /
                                   static_cast<double>(report.kernels_asked);
    }
    for (const auto &[phase, seconds] : kPhases) {
        state.counters[std::string(phase)] =
            100 * report.times.*seconds / (report.times.total + report.times.stage);
    }
    state.counters["cost_us"] = result.best.front().cost / 1000;
}

}  // namespace

SearchOptions usual_search() {
    SearchOptions options;
    options.limits.threads = 1;
    options.limits.time_limit_s = 1e6;
    return options;
}

SearchOptions one_pass(int beam_size) {
    SearchOptions options = usual_search();
    options.limits.beam_size = beam_size;
    options.limits.num_passes = 1;
    options.freeze = Use::off;
    options.refine = false;
    return options;
}

void measure_grouping(benchmark::State &state, Dag dag) {
    example::Search search(std::move(dag));
    const Analytical merging(search.gpu, Analytical::Phase::merging), tiling(search.gpu);
    reset_peak_memory();
    SearchResult result;
    for (auto _ : state) {
        result = greedy_grouping(search.space, {merging, tiling}, usual_search(), Fusion::nested);
    }
    if (const std::optional<double> peak = peak_memory_mib()) state.counters["peak_MiB"] = *peak;
    write(state, result, search.dag.stages.size());
}

void measure_search(benchmark::State &state, Dag dag, SearchOptions options) {
    example::Search search(std::move(dag));
    search.options = std::move(options);
    reset_peak_memory();
    SearchResult result;
    for (auto _ : state) {
        result = search.run();
        if (!search.options.refine) continue;
        const State best = result.best.front();
        auto staged = stage_reads(search.space, search.model, search.options, best, result.report);
        if (staged) result.best.front() = std::move(staged->state);
    }
    if (const std::optional<double> peak = peak_memory_mib()) state.counters["peak_MiB"] = *peak;
    write(state, result, search.dag.stages.size());
}

}  // namespace autoschedule_gpu
