#include "benchmark/measured_search.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "benchmark/peak_memory.h"
#include "scheduler/nest/launch.h"
#include "scheduler/search/beam_search.h"
#include "scheduler/search/plain.h"
#include "scheduler/search/share_launches.h"
#include "scheduler/space/wrappers.h"
#include "scheduler/strategies/composition.h"

namespace autoschedule_gpu {

namespace {

using benchmark::Counter;

// CompileOverlap of a search that the report times.
constexpr std::pair<std::string_view, double SearchTimes::*> kPhases[] = {
    {"draft_%", &SearchTimes::draft},         {"freeze_%", &SearchTimes::freeze},
    {"enumerate_%", &SearchTimes::enumerate}, {"apply_%", &SearchTimes::apply},
    {"evaluate_%", &SearchTimes::evaluate},   {"select_%", &SearchTimes::select},
    {"refine_%", &SearchTimes::refine},       {"revise_%", &SearchTimes::revise},
    {"stage_%", &SearchTimes::stage},
};

// Of one search; every other one of the benchmark is the same.
void write(benchmark::State &state, const SearchReport &report, double cost, size_t stages) {
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
            100 * report.times.*seconds /
            (report.times.draft + report.times.total + report.times.stage);
    }
    state.counters["cost_us"] = cost / 1000;
}

class AcceptAll final : public Judge {
public:
    std::optional<Judgement> judge(const CompleteState &, Attempt) override { return Judgement{}; }
    bool accepts_whole(const CompleteState &, Attempt) override { return true; }
};

// A pipeline as it is scheduled, on the device for which it is.
struct MeasuredPipeline {
    MeasuredPipeline(const Dag &pipeline, ModelKind kind)
        : dag(std::make_shared<const Dag>(with_wrapped_reductions(pipeline))),
          choice{kind, nullptr},
          models(find_preset("a100").value(), choice) {}

    std::shared_ptr<const Dag> dag;
    ModelChoice choice;
    RankingModels models;
    RuleBook rules;
};

void measure(benchmark::State &state, const MeasuredPipeline &subject, const std::string &strategy,
             const SearchOptions &options) {
    const StrategyRegistry strategies;
    reset_peak_memory();
    std::optional<CompositionResult> result;
    for (auto _ : state) {
        SearchContext context(options);
        AcceptAll judge;
        result = compose({.dag = subject.dag,
                          .models = subject.models,
                          .model = subject.choice,
                          .rules = subject.rules,
                          .strategies = strategies,
                          .strategy = strategy},
                         context, judge)
                     .value();
    }
    if (const std::optional<double> peak = peak_memory_mib()) state.counters["peak_MiB"] = *peak;
    write(state, result->report, result->schedule->complete.state.cost, subject.dag->stages.size());
}

}  // namespace

SearchOptions usual_search() {
    SearchOptions options;
    options.limits.threads = 1;
    options.limits.time_limit_s = 1e6;
    return options;
}

void measure_search(benchmark::State &state, const Dag &dag, const SearchOptions &options) {
    measure(state, MeasuredPipeline(dag, ModelKind::roofline), "beam", options);
}

void measure_grouping(benchmark::State &state, const Dag &dag) {
    measure(state, MeasuredPipeline(dag, ModelKind::analytical), "greedy_grouping", usual_search());
}

void measure_pass(benchmark::State &state, const Dag &dag, int beam_size) {
    SearchOptions options = usual_search();
    options.limits.beam_size = beam_size;
    options.limits.num_passes = 1;
    options.freeze = Switch::off;
    options.refine = false;
    const MeasuredPipeline subject(dag, ModelKind::roofline);
    const SearchSpace space(*subject.dag, subject.models.gpu, subject.rules, Freedom::full);
    reset_peak_memory();
    SearchResult result;
    for (auto _ : state) {
        SearchContext context(options);
        result = beam_search(space, *subject.models.model, context);
    }
    if (const std::optional<double> peak = peak_memory_mib()) state.counters["peak_MiB"] = *peak;
    write(state, result.report, result.best.front().cost, subject.dag->stages.size());
}

void measure_launches(benchmark::State &state, const Dag &dag) {
    const MeasuredPipeline subject(dag, ModelKind::roofline);
    const SearchSpace space(*subject.dag, subject.models.gpu, subject.rules, Freedom::full);
    const State plain = plain_state(space, *subject.models.model);
    State found;
    for (auto _ : state) {
        SearchContext context(usual_search());
        SearchReport report;
        found = share_launches(space, *subject.models.model, context, plain, report);
    }
    state.counters["time_per_stage"] =
        Counter(static_cast<double>(subject.dag->stages.size()),
                Counter::kIsIterationInvariantRate | Counter::kInvert);
    state.counters["kernels"] = static_cast<double>(found.nest.kernels.size());
    state.counters["launches"] = static_cast<double>(launches(found.nest).size());
    state.counters["cost_us"] = found.cost / 1000;
}

}  // namespace autoschedule_gpu
