#include "search/revise.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "search/refine.h"
#include "support/random.h"

namespace autoschedule_gpu {

namespace {

constexpr int kRounds = 2;
constexpr int kBeam = 16;
// Of the structures that a pass tells apart: the finer, the more draws.
constexpr int kDepth = 5;
// Less is not worth another schedule.
constexpr double kLeastGain = 1e-4;

// The states on the way to a complete one, before the step that places each Func. Shorter than the
// steps are where something was decided in a way that has no move.
std::vector<State> way_to(SearchParts &parts, const Decisions &decisions) {
    std::vector<State> way;
    State state = parts.space.initial();
    for (const Step &step : parts.space.steps()) {
        // States before tilings are not asked for.
        way.push_back(step.kind == Step::Kind::place ? state : State());
        const std::optional<Move> move = decisions.move(parts.space, state, step);
        if (!move && state.nest.placement(step.func) == Placement::undecided) break;
        if (!move) continue;  // nothing to tile
        auto applied = parts.space.apply(state, *move);
        const Successor *successor = std::get_if<Successor>(&applied);
        if (successor == nullptr) break;
        state = materialise(parts.space.dag(), parts.costs, std::move(state), *successor);
    }
    return way;
}

// A complete state, as a search would have come to it.
struct Revisable {
    State state;
    Decisions decisions;
    std::vector<State> way;

    Revisable(SearchParts &parts, State complete)
        : state(std::move(complete)),
          decisions(parts.space, state),
          way(way_to(parts, decisions)) {}
};

// A Func, what it reads and what reads it.
std::vector<FuncId> neighbourhood(const Dag &dag, FuncId func) {
    std::vector<FuncId> result{func};
    for (EdgeId edge : dag.consumers[func.index()]) {
        result.push_back(dag.stage(dag.edge(edge).consumer).func);
    }
    for (StageId stage : dag.func(func).stages) {
        for (EdgeId edge : dag.stage(stage).edges) result.push_back(dag.edge(edge).producer);
    }
    return result;
}

// The first step that one of the Funcs has; outputs have the first of all.
size_t first_step_of(const SearchSpace &space, std::span<const FuncId> funcs) {
    const auto first = std::ranges::find_if(space.steps(), [&](const Step &step) {
        return std::ranges::find(funcs, step.func) != funcs.end();
    });
    return static_cast<size_t>(first - space.steps().begin());
}

// With a Func's neighbourhood decided anew.
State decided_anew(SearchParts &parts, const Revisable &from, FuncId func, uint64_t seed) {
    const SearchSpace &space = parts.space;
    const std::vector<FuncId> released = neighbourhood(space.dag(), func);
    Decisions decisions = from.decisions;
    for (FuncId neighbour : released) decisions.release(neighbour);
    const size_t first = first_step_of(space, released);
    SearchOptions options = parts.options;
    options.limits.beam_size = std::min(options.limits.beam_size, kBeam);
    options.seed = seed;
    options.progress = {};
    SearchReport report;
    report.sampling = parts.report.sampling;
    StructureBook book;
    SearchParts own{space, options, parts.pool, parts.costs, book, decisions, report, parts.watch};
    Pass pass(own, kDepth, Look::at_drawn);
    Pass::Outcome outcome = first < from.way.size() ? pass.run(from.way[first], first) : pass.run();
    add_states(parts.report, report);
    if (!outcome.complete) return from.state;
    return refine_tilings(own, std::move(outcome.states.front()));
}

// Funcs to decide anew, consumers first: those that are not frozen, and those at the root of the
// most expensive kernels.
std::vector<FuncId> revised_funcs(const SearchParts &parts, const State &state) {
    const Dag &dag = parts.space.dag();
    std::vector<size_t> kernels(state.nest.kernels.size());
    std::iota(kernels.begin(), kernels.end(), size_t{0});
    std::stable_sort(kernels.begin(), kernels.end(), [&](size_t a, size_t b) {
        return state.kernel_costs[a] > state.kernel_costs[b];
    });
    kernels.resize(std::min(kernels.size(), kExpensiveKernels));
    std::vector<bool> expensive(dag.funcs.size(), false);
    for (size_t k : kernels) {
        expensive[dag.stage(state.nest.kernels[k]->stage).func.index()] = true;
    }
    std::vector<FuncId> result;
    for (const Step &step : parts.space.steps()) {
        if (step.kind != Step::Kind::place) continue;
        if (parts.decided.has(step.func) && !expensive[step.func.index()]) continue;
        result.push_back(step.func);
    }
    return result;
}

}  // namespace

State revise_decisions(SearchParts &parts, State state) {
    const PhaseTimer timer(parts.report.times.revise);
    const Random seeds(parts.options.seed);
    uint64_t revisions = 0;
    Revisable best(parts, std::move(state));
    for (int round = 0; round < kRounds; ++round) {
        const double before = best.state.cost;
        for (FuncId func : revised_funcs(parts, best.state)) {
            if (parts.time_is_up()) return best.state;
            State other = decided_anew(parts, best, func, seeds.fork(++revisions).next());
            if (other.cost < (1 - kLeastGain) * best.state.cost) {
                best = Revisable(parts, std::move(other));
            }
        }
        if (best.state.cost >= before) break;
    }
    return best.state;
}

}  // namespace autoschedule_gpu
