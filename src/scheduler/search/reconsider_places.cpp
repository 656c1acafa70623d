#include "scheduler/search/reconsider_places.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "core/support/random.h"
#include "scheduler/search/improve_tilings.h"

namespace autoschedule_gpu {

namespace {

constexpr int kRounds = 2;
constexpr int kBeam = 16;
// Of the structures that a pass tells apart: the finer, the more draws.
constexpr int kDepth = 5;
// Less is not worth another schedule.
constexpr double kLeastGain = 1e-4;

bool has_single_reader(const Dag &dag, FuncId wrapper) {
    return dag.func(wrapper).reader.valid();
}

// Wrappers of single readers that are computed in a kernel.
std::vector<FuncId> staging_wrappers(const Dag &dag, const State &state) {
    std::vector<FuncId> result;
    for (size_t i = 0; i < dag.funcs.size(); ++i) {
        const FuncId func(i);
        if (has_single_reader(dag, func) && is_in_kernel(state.nest.place(func))) {
            result.push_back(func);
        }
    }
    return result;
}

// The states on the way to a complete one, before the step that places each Func. Shorter than the
// steps are where something was decided in a way that has no move.
std::vector<State> way_to(SearchParts &parts, const SearchSpace &space, const Decided &decisions) {
    std::vector<State> way;
    State state = space.initial();
    for (const Step &step : space.steps()) {
        // States before tilings are not asked for.
        way.push_back(step.kind == Step::Kind::place ? state : State());
        const std::optional<Decision> move = decisions.decision(space, state, step);
        if (!move && state.nest.place(step.func) == Place::undecided) break;
        if (!move) continue;  // nothing to tile
        auto applied = space.apply(state, *move);
        const Successor *successor = std::get_if<Successor>(&applied);
        if (successor == nullptr) break;
        state = materialise(space.dag(), parts.costs, std::move(state), *successor);
    }
    return way;
}

// A complete state, as a search would have come to it.
struct Revisable {
    State state;
    Decided decisions;
    std::vector<FuncId> wrappers;  // staging_wrappers
    std::vector<State> way;        // in the space in which these have steps

    Revisable(SearchParts &parts, State complete)
        : state(std::move(complete)),
          decisions(parts.space, state),
          wrappers(staging_wrappers(parts.space.dag(), state)),
          way(way_to(parts, parts.space.with_steps_of(wrappers), decisions)) {}
};

// A Func, what it reads and what reads it, the latter two also through a wrapper.
std::vector<FuncId> neighbourhood(const Dag &dag, FuncId func) {
    std::vector<FuncId> result{func};
    for (EdgeId edge : dag.consumers[func.index()]) {
        const FuncId reader = dag.stage(dag.edge(edge).consumer).func;
        result.push_back(reader);
        if (has_single_reader(dag, reader)) result.push_back(dag.func(reader).reader);
    }
    for (StageId stage : dag.func(func).stages) {
        for (EdgeId edge : dag.stage(stage).edges) {
            const FuncId producer = dag.edge(edge).producer;
            result.push_back(producer);
            if (has_single_reader(dag, producer)) result.push_back(dag.func(producer).wraps);
        }
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

// The tilings of the kernels that `before`, whose tilings were refined, does not have.
State improve_other_tilings(SearchParts &parts, const State &before, State state) {
    std::unordered_set<uint64_t> known;
    for (const KernelPtr &kernel : before.nest.kernels) known.insert(kernel->hash);
    for (size_t k = 0; k < state.nest.kernels.size(); ++k) {
        const Kernel &kernel = *state.nest.kernels[k];
        if (kernel.on_host || known.contains(kernel.hash)) continue;
        state = improve_tiling(parts, std::move(state), k);
    }
    return state;
}

// With a Func's neighbourhood decided anew.
State decided_anew(SearchParts &parts, const Revisable &from, FuncId func, uint64_t seed) {
    const Dag &dag = parts.space.dag();
    const std::vector<FuncId> released = neighbourhood(dag, func);
    Decided decisions = from.decisions;
    std::vector<FuncId> wrappers = from.wrappers;
    for (FuncId neighbour : released) {
        decisions.release(neighbour);
        if (has_single_reader(dag, neighbour)) wrappers.push_back(neighbour);
    }
    const SearchSpace space = parts.space.with_steps_of(wrappers);
    const size_t first = first_step_of(space, released);
    SearchOptions options = parts.options;
    options.limits.beam_size = std::min(options.limits.beam_size, kBeam);
    options.seed = seed;
    options.progress = {};
    SearchReport report;
    report.sampling = parts.report.sampling;
    StructureBook book;
    SearchParts own = parts.over(space, options, book, decisions, report);
    Pass pass(own, kDepth, report.sampling ? Coverage::at_drawn : Coverage::at_all);
    Pass::Outcome outcome = first < from.way.size() ? pass.run(from.way[first], first) : pass.run();
    State other = from.state;
    if (outcome.complete) {
        other = improve_other_tilings(own, from.state, std::move(outcome.states.front()));
    }
    add_states(parts.report, report);
    parts.report.times.refine += report.times.refine;
    return other;
}

// Those that are not frozen, and those at the root of the most expensive kernels.
std::vector<FuncId> revised_funcs(const SearchParts &parts, const State &state) {
    std::vector<bool> expensive(parts.space.dag().funcs.size(), false);
    for (size_t k : most_expensive_kernels(state)) {
        const StageId root = state.nest.kernels[k]->stage;
        expensive[parts.space.dag().stage(root).func.index()] = true;
    }
    std::vector<FuncId> result;
    for (const Step &step : parts.space.steps()) {
        if (step.kind != Step::Kind::place) continue;
        if (parts.decided.has(step.func) && !expensive[step.func.index()]) continue;
        result.push_back(step.func);
    }
    return result;
}

// One revision of each Func. `revisions`: how many there were before, for their seeds.
void reconsider_each(SearchParts &parts, std::span<const FuncId> funcs, Revisable &best,
                     uint64_t &revisions) {
    const Random seeds(parts.options.seed);
    for (FuncId func : funcs) {
        if (parts.time_is_up()) return;
        State other = decided_anew(parts, best, func, seeds.fork(++revisions).next());
        if (other.cost < (1 - kLeastGain) * best.state.cost) {
            best = Revisable(parts, std::move(other));
        }
    }
}

}  // namespace

std::vector<size_t> most_expensive_kernels(const State &state) {
    std::vector<size_t> kernels(state.nest.kernels.size());
    std::iota(kernels.begin(), kernels.end(), size_t{0});
    std::stable_sort(kernels.begin(), kernels.end(), [&](size_t a, size_t b) {
        return state.kernel_costs[a] > state.kernel_costs[b];
    });
    kernels.resize(std::min(kernels.size(), kExpensiveKernels));
    return kernels;
}

State reconsider_places(SearchParts &parts, State state) {
    const PhaseTimer timer(parts.report.times.revise);
    uint64_t revisions = 0;
    Revisable best(parts, std::move(state));
    for (int round = 0; round < kRounds; ++round) {
        const double before = best.state.cost;
        reconsider_each(parts, revised_funcs(parts, best.state), best, revisions);
        if (best.state.cost >= before) break;
    }
    return std::move(best.state);
}

State reconsider_once(SearchParts &parts, State state, std::span<const FuncId> funcs) {
    const PhaseTimer timer(parts.report.times.revise);
    uint64_t revisions = 0;
    Revisable best(parts, std::move(state));
    reconsider_each(parts, funcs, best, revisions);
    return std::move(best.state);
}

}  // namespace autoschedule_gpu
