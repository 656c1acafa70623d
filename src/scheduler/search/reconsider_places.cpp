#include "scheduler/search/reconsider_places.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <unordered_set>

#include "core/support/random.h"
#include "scheduler/search/chains.h"
#include "scheduler/search/epilogues.h"
#include "scheduler/search/improve_tilings.h"
#include "scheduler/search/repeats.h"
#include "scheduler/search/windows.h"
#include "scheduler/search/work_ahead.h"

namespace autoschedule_gpu {

namespace {

constexpr int kPlaceRounds = 2;
constexpr int kBeam = 16;
// Of the structures that a pass tells apart: the finer, the more draws.
constexpr int kDepth = 5;
// Less is not worth another schedule.
constexpr double kLeastGainOfPlace = 1e-4;
// Revisions, of which most change nothing and some take ten times as long as others, that are made
// before the first of them is taken. Each has the effort that was left before the first, so it is
// as many on any number of threads.
constexpr size_t kAhead = 8;
// Chains whose links, and epilogues that cost less of the whole are left alone.
constexpr double kLeastChain = 0.05, kLeastEpilogue = 0.03;
// So are Funcs that would be dealt to the threads of what reads them.
constexpr double kLeastDealt = 0.02;
// So are windows. What a step of a walk costs is known less well than what is compared with it.
constexpr double kLeastWindow = 0.02, kLeastWindowGain = 0.05;

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

// What is decided anew: some Funcs, of which some are to come to a given place.
struct Anew {
    std::vector<FuncId> released;
    std::vector<std::pair<FuncId, Place>> places;  // of some of these
    Coverage look;
    uint64_t seed;
    std::optional<Joined> joined = {};

    // Funcs of which some decision is not as before.
    std::vector<FuncId> changed(const Dag &dag) const {
        std::vector<FuncId> funcs = released;
        for (const auto &[func, place] : places) funcs.push_back(func);
        if (joined) funcs.push_back(dag.stage(joined->reader).func);
        return funcs;
    }
};

bool comes_to(std::span<const std::pair<FuncId, Place>> places, const Nest &nest) {
    return std::ranges::all_of(places,
                               [&](const auto &at) { return nest.place(at.first) == at.second; });
}

// What a narrow pass beside the search works with. It says nothing of its progress.
struct NarrowSearch {
    NarrowSearch(const SearchParts &of, const SearchSpace &space, const Decided &decisions,
                 uint64_t seed)
        : options(of.options), parts(of.over(space, options, book, decisions, report)) {
        options.limits.beam_size = std::min(options.limits.beam_size, kBeam);
        options.seed = seed;
        options.progress = {};
        report.sampling = of.report.sampling;
    }
    NarrowSearch(const NarrowSearch &) = delete;
    NarrowSearch &operator=(const NarrowSearch &) = delete;

    SearchOptions options;
    SearchReport report;
    StructureBook book;
    SearchParts parts;
};

// As it was, if what is to come to some place can't.
State decided_anew(SearchParts &parts, const Revisable &from, const Anew &anew) {
    const Dag &dag = parts.space.dag();
    Decided decisions = from.decisions;
    std::vector<FuncId> wrappers = from.wrappers;
    for (FuncId func : anew.released) {
        decisions.release(func);
        if (has_single_reader(dag, func)) wrappers.push_back(func);
    }
    for (const auto &[func, place] : anew.places) decisions.release_to(func, place);
    if (const auto &joined = anew.joined) {
        decisions.move_members(joined->kernel, joined->reader, joined->tiling);
    }
    const SearchSpace space = parts.space.with_steps_of(wrappers);
    const size_t first = first_step_of(space, anew.changed(dag));
    NarrowSearch own(parts, space, decisions, anew.seed);
    Pass pass(own.parts, kDepth, own.report.sampling ? anew.look : Coverage::at_all);
    Pass::Outcome outcome = first < from.way.size() ? pass.run(from.way[first], first) : pass.run();
    State other = from.state;
    if (outcome.complete && comes_to(anew.places, outcome.states.front().nest)) {
        other = improve_other_tilings(own.parts, from.state, std::move(outcome.states.front()));
    }
    add_piece(parts.report, std::move(own.report));
    return other;
}

// As it was, if that can't be. What is not decided by a counterpart stays as it is, or is decided
// anew where that can't be any more.
State repeated(SearchParts &parts, const State &state, std::span<const Counterparts> all) {
    const Dag &dag = parts.space.dag();
    const Decided before(parts.space, state);
    Decided decisions = before;
    std::vector<FuncId> wrappers = staging_wrappers(dag, state);
    for (const Counterparts &counterparts : all) {
        decisions.decide_as(before, counterparts);
        for (const auto &[like, func] : counterparts.funcs()) {
            const bool is_decided = before.has(like);  // else both are inlined
            if (is_decided && has_single_reader(dag, func)) wrappers.push_back(func);
        }
    }
    const SearchSpace space = parts.space.with_steps_of(wrappers);
    NarrowSearch own(parts, space, decisions, parts.options.seed);
    Pass::Outcome outcome = Pass(own.parts, kDepth, Coverage::at_all_if_few).run();
    add_piece(parts.report, std::move(own.report));
    return outcome.complete ? std::move(outcome.states.front()) : state;
}

// With a Func's neighbourhood decided anew.
Anew neighbourhood_anew(const Dag &dag, FuncId func, uint64_t seed) {
    return {neighbourhood(dag, func), {}, Coverage::at_drawn, seed};
}

// With all links of a chain in the block of their reader.
Anew chain_anew(const Dag &dag, const State &state, const Chain &chain, uint64_t seed) {
    Anew anew{{chain.reader}, {{chain.reader, Place::root}}, Coverage::at_all_if_few, seed};
    for (const FuncId link : chain.links) {
        const FuncId wrapped = dag.func(link).wraps;
        if (wrapped.valid()) anew.places.emplace_back(link, Place::inlined);
        anew.places.emplace_back(wrapped.valid() ? wrapped : link, Place::block);
        anew.released.push_back(link);
        for (const FuncId member : members_of(dag, state, link)) anew.released.push_back(member);
    }
    return anew;
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

bool is_cheaper(const State &other, const Revisable &best) {
    return other.cost < (1 - kLeastGainOfPlace) * best.state.cost;
}

bool take_if_cheaper(SearchParts &parts, State other, Revisable &best) {
    if (!is_cheaper(other, best)) return false;
    best = Revisable(parts, std::move(other));
    return true;
}

// What a revision beside others works with.
struct Lane {
    explicit Lane(const SearchParts &of)
        : clock(of.clock.apart()), costs(of.costs, clock), parts{of.space, of.options, of.pool,
                                                                 costs,    of.book,    of.decided,
                                                                 report,   clock} {
        report.sampling = of.report.sampling;
    }

    SearchReport report;
    SearchClock clock;
    SearchCosts costs;
    SearchParts parts;
};

// Revisions of one Func each, several at once.
class Revisions {
public:
    explicit Revisions(SearchParts &parts) : parts_(parts), seeds_(parts.options.seed) {
        for (int i = 0; i < parts.pool.threads(); ++i) {
            lanes_.push_back(std::make_unique<Lane>(parts));
        }
    }

    // One of each.
    void reconsider(std::span<const FuncId> funcs, Revisable &best) {
        const uint64_t before = made_;
        work_ahead(
            parts_.pool, funcs.size(), kAhead,
            [&](size_t piece, size_t lane) {
                const uint64_t seed = seeds_.fork(before + piece + 1).next();
                return revised(*lanes_[lane], best, funcs[piece], seed);
            },
            [&](const Revision &revision) { return is_cheaper(revision.state, best); },
            [&](size_t, Revision revision) {
                if (parts_.time_is_up()) return GoOn::not_at_all;
                ++made_;
                parts_.clock.add(revision.clock);
                add_piece(parts_.report, std::move(revision.report));
                return take_if_cheaper(parts_, std::move(revision.state), best) ? GoOn::with_redone
                                                                                : GoOn::with_next;
            });
    }

private:
    struct Revision {
        State state;
        SearchReport report;
        SearchClock clock;
    };

    Revision revised(Lane &lane, const Revisable &best, FuncId func, uint64_t seed) const {
        lane.clock = parts_.clock.apart();
        lane.report = {};
        lane.report.sampling = parts_.report.sampling;
        const Anew anew = neighbourhood_anew(parts_.space.dag(), func, seed);
        State state = decided_anew(lane.parts, best, anew);
        lane.costs.add_counts(lane.report);
        return {std::move(state), std::move(lane.report), lane.clock};
    }

    SearchParts &parts_;
    const Random seeds_;
    uint64_t made_ = 0;  // so far: their seeds differ
    std::vector<std::unique_ptr<Lane>> lanes_;
};

// The first epilogue that is better off in the kernel before it. False: none is.
bool take_epilogue(SearchParts &parts, Revisable &best) {
    const double before = best.state.cost;
    for (const Joined &epilogue : epilogues(parts.space.dag(), best.state, kLeastEpilogue)) {
        for (const Place place : {Place::threads, Place::inlined, Place::block}) {
            if (parts.time_is_up()) return false;
            const Anew anew{{},
                            {{epilogue.func, place}},
                            Coverage::at_all_if_few,
                            parts.options.seed,
                            epilogue};
            take_if_cheaper(parts, decided_anew(parts, best, anew), best);
            if (best.state.cost < before) return true;
        }
    }
    return false;
}

void take_epilogues(SearchParts &parts, Revisable &best) {
    while (take_epilogue(parts, best)) {
    }
}

// By the hashes of the kernels that would be one.
using TriedWindows = std::set<std::vector<uint64_t>>;

// The first Func that is better off in blocks that walk.
bool take_window(SearchParts &parts, Revisable &best, TriedWindows &tried) {
    for (const Window &window : windows(parts.space.dag(), best.state, kLeastWindow)) {
        if (parts.time_is_up()) return false;
        std::vector<uint64_t> hashes{window.func.index()};
        double apart = 0;
        for (const size_t k : window.kernels) {
            hashes.push_back(best.state.nest.kernels[k]->hash);
            apart += best.state.kernel_costs[k];
        }
        if (!tried.insert(std::move(hashes)).second) continue;
        const Anew anew{{},
                        {{window.func, Place::block}},
                        Coverage::at_all_if_few,
                        parts.options.seed,
                        window.joined};
        State other = decided_anew(parts, best, anew);
        if (other.cost > best.state.cost - kLeastWindowGain * apart) continue;
        best = Revisable(parts, std::move(other));
        return true;
    }
    return false;
}

// At most that is gained.
double cost_of_links(const Dag &dag, const State &state, const Chain &chain) {
    double cost = 0;
    for (size_t k = 0; k < state.nest.kernels.size(); ++k) {
        const FuncId func = dag.stage(state.nest.kernels[k]->stage).func;
        const bool is_link = std::ranges::find(chain.links, func) != chain.links.end();
        if (is_link) cost += state.kernel_costs[k];
    }
    return cost;
}

// Each chain once, where much may be gained.
void reconsider_chains(SearchParts &parts, std::span<const FuncId> funcs, Revisable &best) {
    const Dag &dag = parts.space.dag();
    for (FuncId func : funcs) {
        if (parts.time_is_up()) return;
        const std::optional<Chain> chain = chain_from(dag, best.state, func);
        if (!chain || cost_of_links(dag, best.state, *chain) < kLeastChain * best.state.cost) {
            continue;
        }
        const Anew anew = chain_anew(dag, best.state, *chain, parts.options.seed);
        take_if_cheaper(parts, decided_anew(parts, best, anew), best);
    }
}

// A Func at root, which one kernel alone reads, in that one's blocks, whose threads have its points
// dealt to them. Few draws come to that: what is computed in its own kernels must be decided anew
// as well.
void reconsider_dealt(SearchParts &parts, std::span<const FuncId> funcs, Revisable &best) {
    const Dag &dag = parts.space.dag();
    for (FuncId func : funcs) {
        const State &state = best.state;
        if (!may_be_dealt(dag, func) || !may_leave_root(dag, state, func)) continue;
        if (parts.time_is_up() || consumer_kernels(dag, state, func).size() != 1) continue;
        const auto home = static_cast<size_t>(state.home[dag.func(func).stages[0].index()]);
        if (state.kernel_costs[home] < kLeastDealt * state.cost) continue;
        Anew anew{{func}, {{func, Place::block}}, Coverage::at_all_if_few, parts.options.seed};
        for (const FuncId member : members_of(dag, state, func)) anew.released.push_back(member);
        take_if_cheaper(parts, decided_anew(parts, best, anew), best);
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
    Revisable best(parts, std::move(state));
    reconsider_chains(parts, revised_funcs(parts, best.state), best);
    Revisions revisions(parts);
    for (int round = 0; round < kPlaceRounds; ++round) {
        const double before = best.state.cost;
        revisions.reconsider(revised_funcs(parts, best.state), best);
        if (best.state.cost >= before) break;
    }
    reconsider_dealt(parts, revised_funcs(parts, best.state), best);
    take_epilogues(parts, best);
    return std::move(best.state);
}

State join_windows(SearchParts &parts, State state) {
    Revisable best(parts, std::move(state));
    TriedWindows tried;
    while (take_window(parts, best, tried)) {
    }
    return std::move(best.state);
}

State repeat_kernels(SearchParts &parts, State state) {
    if (parts.time_is_up()) return state;
    const std::vector<Counterparts> all = repeats(parts.space.dag(), state);
    if (all.empty()) return state;
    RunningPart part(parts.report, "repeat_kernels", state.cost);
    State other = repeated(parts, state, all);
    if (other.cost < (1 - kLeastGainOfPlace) * state.cost) state = std::move(other);
    part.done(state.cost);
    return state;
}

State join_epilogues(SearchParts &parts, State state) {
    Revisable best(parts, std::move(state));
    take_epilogues(parts, best);
    return std::move(best.state);
}

State reconsider_once(SearchParts &parts, State state, std::span<const FuncId> funcs) {
    const PhaseTimer timer(parts.report.times.revise);
    Revisable best(parts, std::move(state));
    Revisions(parts).reconsider(funcs, best);
    return std::move(best.state);
}

std::vector<State> with_less_inlined_in(SearchParts &parts, const State &state, size_t kernel) {
    const Dag &dag = parts.space.dag();
    const Revisable from(parts, state);
    std::vector<State> result;
    for (const FuncId func : state.nest.kernels[kernel]->inlined) {
        if (dag.func(func).must_inline || dag.func(func).wraps.valid()) continue;
        for (const Place place : {Place::threads, Place::block}) {
            const Anew anew{{}, {{func, place}}, Coverage::at_all_if_few, parts.options.seed};
            State other = decided_anew(parts, from, anew);
            if (other.id != state.id) result.push_back(std::move(other));
        }
    }
    std::ranges::stable_sort(result, {}, &State::cost);
    return result;
}

}  // namespace autoschedule_gpu
