#include "search/revise.h"

#include <algorithm>

#include "search/refine.h"
#include "support/random.h"

namespace autoschedule_gpu {

namespace {

constexpr int kRounds = 2;
constexpr int kBeam = 8;
// Of the structures that a pass tells apart: the finer, the more draws.
constexpr int kDepth = 5;
// Less is not worth another schedule.
constexpr double kLeastGain = 1e-4;

// The state with `func` and the Funcs that it reads decided anew.
State decided_anew(SearchParts &parts, const State &state, FuncId func, uint64_t seed) {
    const SearchSpace &space = parts.space;
    Decisions decisions(space, state);
    decisions.release(func);
    for (StageId stage : space.dag().func(func).stages) {
        for (EdgeId edge : space.dag().stage(stage).edges) {
            decisions.release(space.dag().edge(edge).producer);
        }
    }
    SearchOptions options = parts.options;
    options.limits.beam_size = std::min(options.limits.beam_size, kBeam);
    options.seed = seed;
    options.progress = {};
    SearchReport report;
    report.sampling = parts.report.sampling;
    StructureBook book;
    SearchParts own{space, options, parts.pool, parts.costs, book, decisions, report, parts.watch};
    Pass::Outcome outcome = Pass(own, kDepth, Look::at_drawn).run();
    parts.report.states_enumerated += report.states_enumerated;
    parts.report.states_rejected += report.states_rejected;
    parts.report.states_scored += report.states_scored;
    add(parts.report.rejections, report.rejections);
    if (!outcome.complete) return state;
    return refine_tilings(own, std::move(outcome.states.front()));
}

}  // namespace

State revise_decisions(SearchParts &parts, State state) {
    const PhaseTimer timer(parts.report.times.revise);
    const Random seeds(parts.options.seed);
    uint64_t revisions = 0;
    for (int round = 0; round < kRounds; ++round) {
        const double before = state.cost;
        for (const Step &step : parts.space.steps()) {
            if (parts.time_is_up()) return state;
            if (step.kind != Step::Kind::place || parts.decided.has(step.func)) continue;
            State other = decided_anew(parts, state, step.func, seeds.fork(++revisions).next());
            if (other.cost < (1 - kLeastGain) * state.cost) state = std::move(other);
        }
        if (state.cost >= before) break;
    }
    return state;
}

}  // namespace autoschedule_gpu
