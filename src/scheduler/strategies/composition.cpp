#include "scheduler/strategies/composition.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/support/parallel.h"
#include "scheduler/nest/launch.h"
#include "scheduler/nest/structure.h"
#include "scheduler/nest/written_code.h"
#include "scheduler/search/choose_steps.h"
#include "scheduler/search/improve_tilings.h"
#include "scheduler/search/kernel_costs.h"
#include "scheduler/search/reconsider_places.h"
#include "scheduler/search/search_parts.h"
#include "scheduler/search/share_launches.h"
#include "scheduler/search/stage_inputs.h"
#include "scheduler/search/work_ahead.h"
#include "scheduler/space/wrappers.h"
#include "scheduler/strategies/compiled_cost.h"
#include "scheduler/strategies/last_descent.h"

namespace autoschedule_gpu {

namespace {

enum class OnSpills : uint8_t { keep, search_with_fewer_registers };

struct Rung {
    Attempt attempt;
    std::string_view strategy;  // empty: the one that is wanted
    Freedom freedom;
    size_t most_judged;  // of the states that are found, the best
    OnSpills on_spills;
};

constexpr Rung kLadder[] = {
    {Attempt::search, "", Freedom::full, 4, OnSpills::search_with_fewer_registers},
    {Attempt::no_fusion, "", Freedom::no_fusion, 4, OnSpills::search_with_fewer_registers},
    {Attempt::plain, "plain", Freedom::root_only, 1, OnSpills::keep},
    {Attempt::host, "host", Freedom::root_only, 1, OnSpills::keep},
};

// Registers per thread of the devices that are searched for where a schedule spills, in eighths of
// what there is: from the first, or, where little is spilled, from one more, to the last.
constexpr int kFirstEighths = 6, kLastEighths = 5;
constexpr int64_t kFewSpilledBytes = 64;
// How kernels that spill are made otherwise alone, one after the other: for a device with so many
// of its registers, and by the model as it is, by which a descent finds its way; at last by one
// that lets nothing spill.
enum class Spills : uint8_t { at_their_price, at_no_price };
struct Tightening {
    int eighths;
    Spills spills;
};
constexpr Tightening kTightenings[] = {{kFirstEighths, Spills::at_their_price},
                                       {kLastEighths, Spills::at_their_price},
                                       {kFirstEighths, Spills::at_no_price}};
// Where little is spilled, so many of the neighbours of each are tried.
constexpr size_t kMostNeighbours = 6;
// A search that has spent all its effort has so much more, in stages of kernels, for that: what
// spills much may take many times as long as was expected of it.
constexpr double kEffortForSpills = 4e5;
// How much a schedule that spills nothing may cost more than one that does, as both were compiled:
// what spills cost is known less well than anything else. What is not dearer than this by the
// estimate, in which nothing spills, is good enough: another search takes as long as the first.
constexpr double kMostRise = 1.1;

// States that are finished, each only if the search has not spent more effort before: the further
// down the list, the more seldom it is the best in the end.
constexpr std::array kMostEffortBefore = {std::numeric_limits<double>::infinity(), 1.5e6, 1.1e6,
                                          1.1e6};
constexpr int kAllButTilings = 2;  // of structural_hash

bool spills(const ComposedSchedule &schedule) {
    return schedule.judgement.spill_bytes > 0;
}

// What it spills, if anything.
bool is_little(const ComposedSchedule &schedule) {
    return schedule.judgement.spill_bytes <= kFewSpilledBytes;
}

// Positions in the nest, as far as they are known.
std::vector<size_t> kernels_that_spill(const Judgement &judgement) {
    std::vector<size_t> found;
    for (size_t k = 0; k < judgement.kernels.size(); ++k) {
        if (judgement.kernels[k].spill_bytes > 0) found.push_back(k);
    }
    return found;
}

// The first of them whose root stage is not among those.
std::optional<size_t> next_that_spills(const ComposedSchedule &schedule,
                                       const std::set<StageId> &but) {
    for (const size_t k : kernels_that_spill(schedule.judgement)) {
        if (!but.contains(schedule.complete.state.nest.kernels[k]->stage)) return k;
    }
    return std::nullopt;
}

// None where the stage has come into another kernel.
std::optional<size_t> position_of(const State &state, StageId root) {
    const auto at = std::ranges::find_if(
        state.nest.kernels, [&](const KernelPtr &kernel) { return kernel->stage == root; });
    if (at == state.nest.kernels.end()) return std::nullopt;
    return static_cast<size_t>(at - state.nest.kernels.begin());
}

// Of a state that has a kernel of that root stage.
const Tiling &tiling_of(const CompleteState &complete, StageId root) {
    return complete.state.nest.kernels[*position_of(complete.state, root)]->tiling;
}

// That Halide takes for the kernel of that root stage, if there is one.
double lowering_seconds_of(const CompleteState &complete, StageId root) {
    const std::optional<size_t> k = position_of(complete.state, root);
    return k ? lowering_seconds(*complete.dag, *complete.state.nest.kernels[*k]) : 0;
}

bool spills_in(const ComposedSchedule &schedule, StageId root) {
    return std::ranges::any_of(kernels_that_spill(schedule.judgement), [&](size_t k) {
        return schedule.complete.state.nest.kernels[k]->stage == root;
    });
}

// A search for fewer registers is worth another trial that takes Halide so long; where little is
// spilled, a shorter one. Other states of a kernel are worth trials that take as long together, of
// which none is done in no time.
constexpr double kMostTrialSeconds = 2, kMostTrialSecondsForLittle = 1, kLeastTrialSeconds = 0.25;

std::span<const Rung> ladder_for(std::string_view strategy) {
    const auto own = std::ranges::find(kLadder, strategy, &Rung::strategy);
    return {own == std::end(kLadder) ? std::begin(kLadder) : own, std::end(kLadder)};
}

class Climb {
public:
    Climb(const Composition &composition, SearchContext &context, Judge &judge)
        : of_(composition), context_(context), judge_(judge) {}

    Result<CompositionResult> run() {
        CompositionResult result;
        for (const Rung &rung : ladder_for(of_.strategy)) {
            const auto strategy =
                of_.strategies.find(rung.strategy.empty() ? of_.strategy : rung.strategy);
            if (!strategy) return strategy.error();
            result.schedule = attempt(rung, **strategy);
            if (result.schedule) break;
        }
        report_.stop_reason = context_.clock.stop_reason();
        result.report = std::move(report_);
        return result;
    }

private:
    std::optional<ComposedSchedule> attempt(const Rung &rung, const SearchStrategy &strategy) {
        const SearchSpace space(*of_.dag, of_.models.gpu, of_.rules, rung.freedom);
        const size_t parts_before = report_.parts.size();
        std::optional<ComposedSchedule> chosen;
        for (const CompleteState &candidate : candidates(rung, strategy, space)) {
            const auto accepted = judged(candidate, rung.attempt);
            if (accepted) chosen = best_usable(*accepted, rung, strategy);
            if (chosen) break;
        }
        for (SearchPart &part : std::span(report_.parts).subspan(parts_before)) {
            part.attempt = to_string(rung.attempt);
        }
        return chosen;
    }

    // In the order in which they are judged.
    std::vector<CompleteState> candidates(const Rung &rung, const SearchStrategy &strategy,
                                          const SearchSpace &space) {
        const SearchProblem problem{space, of_.models};
        SearchResult found = strategy.search(problem, context_);
        take(std::move(found.report));
        start_ = found.best.front().nest;
        finished_ = finished_states(problem, strategy, found.best);
        std::vector<CompleteState> result;
        for (const CompleteState &finished : finished_) {
            result.push_back(finished);
            if (shares_launches(finished.state.nest)) result.push_back(apart(finished));
        }
        for (State &state :
             std::span(found.best).first(std::min(rung.most_judged, found.best.size()))) {
            result.push_back({of_.dag, std::move(state), rung.freedom});
        }
        return result;
    }

    // What comes of an accepted schedule that spills less, or itself where that is refused as a
    // whole.
    std::optional<ComposedSchedule> best_usable(const ComposedSchedule &accepted, const Rung &rung,
                                                const SearchStrategy &strategy) {
        if (rung.on_spills == OnSpills::search_with_fewer_registers) {
            const ComposedSchedule best = without_spills(accepted, strategy);
            if (best.complete.state.id != accepted.complete.state.id) {
                if (auto usable = as_whole(best)) return usable;
            }
        }
        return as_whole(accepted);
    }

    std::optional<ComposedSchedule> as_whole(ComposedSchedule schedule) {
        if (!schedule.judgement.by_parts) return schedule;
        RunningPart part(report_, "judge", schedule.complete.state.cost);
        const bool accepted = judge_.accepts_whole(schedule.complete, schedule.attempt);
        part.done(schedule.complete.state.cost);
        return accepted ? std::optional(std::move(schedule)) : std::nullopt;
    }

    // What the strategy makes of the best states, of each structure one, if it makes something
    // cheaper of any than the best is; the cheapest first. The best is not always the one that
    // becomes it.
    std::vector<CompleteState> finished_states(const SearchProblem &problem,
                                               const SearchStrategy &strategy,
                                               std::span<const State> best) {
        std::vector<CompleteState> finished;
        const std::vector<const State *> states = of_each_structure(best);
        ThreadPool pool(context_.options.limits.threads);
        work_ahead(
            pool, states.size(),
            [&](size_t piece, size_t) {
                const int threads = std::max(1, pool.threads() / static_cast<int>(states.size()));
                return finished_beside(problem, strategy, *states[piece], threads);
            },
            [&](size_t piece, Finished one) {
                if (context_.clock.is_up()) return GoOn::not_at_all;
                if (context_.clock.effort() > kMostEffortBefore[piece]) return GoOn::not_at_all;
                context_.clock.add(one.clock);
                add_piece(report_, std::move(one.report));
                if (one.complete && one.complete->state.cost < best.front().cost) {
                    finished.push_back(*std::move(one.complete));
                }
                return GoOn::with_next;
            });
        std::ranges::stable_sort(finished, {},
                                 [](const CompleteState &one) { return one.state.cost; });
        if (!finished.empty() && may_descend()) {
            finished.front() =
                last_descent(problem, context_, std::move(finished.front()), report_);
        }
        return finished;
    }

    // Who asks for random schedules does not ask for what is best near them.
    bool may_descend() const {
        return context_.options.refine && context_.options.random_dropout == 100;
    }

    // The best of each, as many as there is effort for. Who asks for random schedules does not ask
    // for the best of several.
    std::vector<const State *> of_each_structure(std::span<const State> best) const {
        const auto too_late = std::ranges::find_if(
            kMostEffortBefore, [&](double most) { return context_.clock.effort() > most; });
        const size_t most = context_.options.random_dropout < 100
                                ? 1
                                : static_cast<size_t>(too_late - kMostEffortBefore.begin());
        std::set<uint64_t> structures;
        std::vector<const State *> result;
        for (const State &state : best) {
            if (result.size() == most) break;
            if (structures.insert(structural_hash(state.nest, kAllButTilings)).second) {
                result.push_back(&state);
            }
        }
        return result;
    }

    struct Finished {
        std::optional<CompleteState> complete;
        SearchReport report;
        SearchClock clock;
    };

    Finished finished_beside(const SearchProblem &problem, const SearchStrategy &strategy,
                             const State &state, int threads) const {
        SearchContext own = beside(context_, threads);
        SearchReport report;
        report.sampling = report_.sampling;
        auto complete = strategy.finish(problem, own, state, report);
        return {std::move(complete), std::move(report), std::move(own.clock)};
    }

    // What was searched before is no more than parts of a report on what was searched last.
    void take(SearchReport report) {
        std::vector<SearchPart> parts = std::move(report_.parts);
        std::ranges::move(report.parts, std::back_inserter(parts));
        if (report.passes > 0) report_ = std::move(report);
        report_.parts = std::move(parts);
    }

    std::optional<ComposedSchedule> judged(CompleteState candidate, Attempt attempt) {
        judged_.insert(candidate.state.id);
        RunningPart part(report_, "judge", candidate.state.cost);
        const std::optional<Judgement> judgement = judge_.judge(candidate, attempt);
        part.done(candidate.state.cost);
        if (!judgement) return std::nullopt;
        return ComposedSchedule{std::move(candidate), attempt, *judgement};
    }

    ComposedSchedule without_spills(ComposedSchedule best, const SearchStrategy &strategy) {
        if (spills(best)) context_.clock.reserve_effort(kEffortForSpills);
        const double least_cost = best.complete.state.cost;
        best = with_tighter_kernels(std::move(best));
        const auto is_good = [&] {
            return !spills(best) && best.complete.state.cost <= kMostRise * least_cost;
        };
        const bool few = is_little(best);
        const double most_s = few ? kMostTrialSecondsForLittle : kMostTrialSeconds;
        if (lowering_seconds(*best.complete.dag, best.complete.state.nest) > most_s) return best;
        best = or_next_finished(std::move(best));
        for (int eighths = few ? kFirstEighths + 1 : kFirstEighths;
             !is_good() && eighths >= kLastEighths && !context_.clock.is_up(); --eighths) {
            const int64_t registers = of_.models.gpu.max_registers_per_thread * eighths / 8;
            CompleteState other = found_with_registers(registers, strategy, best);
            const uint64_t id = other.state.id;
            if (other.state.cost > most_cost(best)) break;
            best = better_of(std::move(best), std::move(other));
            // With fewer still, what spills nothing costs more.
            if (best.complete.state.id == id && !spills(best)) break;
        }
        return best;
    }

    // A schedule, or what a trial makes of a state, if that is better.
    ComposedSchedule better_of(ComposedSchedule best, CompleteState other) {
        if (!is_worth_a_trial(other, best)) return best;
        auto accepted = judged(std::move(other), best.attempt);
        if (accepted && is_better(*accepted, best)) return *std::move(accepted);
        return best;
    }

    // The next of those that were finished may be hardly dearer, and spill nothing.
    ComposedSchedule or_next_finished(ComposedSchedule best) {
        const auto next = std::ranges::find_if(finished_, [&](const CompleteState &finished) {
            return !judged_.contains(finished.state.id);
        });
        if (!spills(best) || next == finished_.end()) return best;
        return better_of(std::move(best), *next);
    }

    // Whether a state may become better than a schedule, if it should spill nothing. What was
    // judged before is not judged again.
    bool is_worth_a_trial(const CompleteState &other, const ComposedSchedule &best) {
        return other.state.cost < most_cost(best) && !context_.clock.is_up() &&
               !judged_.contains(other.state.id);
    }

    // Of what may become better than a schedule.
    double most_cost(const ComposedSchedule &best) const {
        return spills(best) ? kMostRise * as_compiled(best) : best.complete.state.cost;
    }

    // Whether a schedule takes the place of another: it is cheaper as it was compiled, or not much
    // dearer where it spills nothing and the other does. Of what nobody could compile in time that
    // is not known.
    bool is_better(const ComposedSchedule &one, const ComposedSchedule &other) const {
        if (!one.judgement.spill_bytes) return false;
        const double handicap = !spills(one) && spills(other)   ? 1 / kMostRise
                                : spills(one) && !spills(other) ? kMostRise
                                                                : 1;
        return handicap * as_compiled(one) < as_compiled(other);
    }

    double as_compiled(const ComposedSchedule &schedule) const {
        return compiled_cost(schedule.complete, schedule.judgement.kernels, of_.models.gpu,
                             *of_.models.model);
    }

    // With the kernels that spill made otherwise, alone: that is found in no time, and mostly one
    // trial more shows that it does. Each goes on from what was tried last.
    ComposedSchedule with_tighter_kernels(ComposedSchedule best) {
        if (is_little(best)) best = with_neighbours(std::move(best));
        ComposedSchedule last = best;
        const auto try_to = [&](CompleteState other) {
            if (!is_worth_a_trial(other, best)) return;
            auto accepted = judged(std::move(other), last.attempt);
            if (!accepted) return;
            last = *std::move(accepted);
            if (is_better(last, best)) best = last;
        };
        const auto is_done = [&] {
            return kernels_that_spill(last.judgement).empty() || context_.clock.is_up();
        };
        if (!is_done()) try_to(changed_where_it_spills(last, with_reductions_as_loops));
        if (!is_done() && spills(best)) best = last = with_less_inlined(std::move(best));
        for (const Tightening &tightening : kTightenings) {
            if (!is_done()) try_to(tightened(last, tightening));
        }
        // Many kernels are worth one trial of all, one kernel several.
        const auto halve = [&] { try_to(changed_where_it_spills(best, with_half_the_points)); };
        if (!is_done() && kernels_that_spill(best.judgement).size() > 1) halve();
        if (!is_done() && spills(best)) best = last = with_smaller_tiles(std::move(best));
        if (!is_done() && spills(best)) halve();
        if (!is_done() && is_little(best)) best = with_neighbours(std::move(best));
        if (!is_done() && spills(best)) try_to(with_reads_staged(best));
        return best;
    }

    // Tries other states for each kernel that spills, as long as it does: others_of(schedule,
    // kernel) are in the order in which they are worth it. may_fit(state, root) says so of one; the
    // root stages of kernels that were tried and spill go to spilled(state, root).
    template <typename OthersOf, typename MayFit, typename Spilled>
    ComposedSchedule tried_in_turn(ComposedSchedule best, const OthersOf &others_of,
                                   const MayFit &may_fit, const Spilled &spilled) {
        std::set<StageId> tried;  // of the kernels, the root stages
        while (const std::optional<size_t> k = next_that_spills(best, tried)) {
            const StageId root = best.complete.state.nest.kernels[*k]->stage;
            tried.insert(root);
            double seconds = 0;
            spilled(best.complete, root);
            for (CompleteState &other : others_of(best, *k)) {
                if (!spills_in(best, root) || seconds > kMostTrialSeconds) break;
                if (!is_worth_a_trial(other, best) || !may_fit(other, root)) continue;
                seconds += std::max(kLeastTrialSeconds, lowering_seconds_of(other, root));
                auto accepted = judged(std::move(other), best.attempt);
                if (!accepted) continue;
                if (spills_in(*accepted, root)) spilled(accepted->complete, root);
                if (is_better(*accepted, best)) best = *std::move(accepted);
            }
        }
        return best;
    }

    // Where little is spilled, something that is nearly the same spills nothing. No estimate tells
    // what: the compiler does, one by one, the cheapest first.
    ComposedSchedule with_neighbours(ComposedSchedule best) {
        return tried_in_turn(
            std::move(best),
            [&](const auto &schedule, size_t k) { return neighbours_of(schedule, k); },
            [](const auto &, StageId) { return true; }, [](const auto &, StageId) {});
    }

    // With what is inlined in the kernels that spill computed before it is needed, in registers or
    // in shared memory: inlined, compilers keep what many points share of it.
    ComposedSchedule with_less_inlined(ComposedSchedule best) {
        return tried_in_turn(
            std::move(best),
            [&](const auto &schedule, size_t k) {
                return with_kernel_as(schedule, k, with_less_inlined_in);
            },
            [](const auto &, StageId) { return true; }, [](const auto &, StageId) {});
    }

    // With fewer points per thread in the kernels that spill. In which shape they fit into the
    // registers, no estimate tells either. What holds a shape that spills does so, too.
    ComposedSchedule with_smaller_tiles(ComposedSchedule best) {
        std::map<StageId, std::vector<Tiling>> too_large;
        return tried_in_turn(
            std::move(best),
            [&](const auto &schedule, size_t k) {
                return with_kernel_as(schedule, k, with_fewer_points);
            },
            [&](const CompleteState &other, StageId root) {
                return std::ranges::none_of(too_large[root], [&](const Tiling &tiling) {
                    return holds_tile_of(tiling_of(other, root), tiling);
                });
            },
            [&](const CompleteState &spilled, StageId root) {
                too_large[root].push_back(tiling_of(spilled, root));
            });
    }

    using Others = std::vector<State> (*)(SearchParts &parts, const State &state, size_t kernel);
    std::vector<CompleteState> with_kernel_as(const ComposedSchedule &schedule, size_t kernel,
                                              Others others_of) {
        const CompleteState complete = apart(schedule.complete);
        RunningPart part(report_, "tighter_kernels", complete.state.cost);
        const SearchSpace space(*complete.dag, of_.models.gpu, of_.rules, complete.freedom);
        Workbench bench(space, *of_.models.model, context_, report_);
        const StageId root = complete.state.nest.kernels[kernel]->stage;
        const bool has_loops =
            with_reductions_as_loops(bench.parts, complete.state, kernel).id == complete.state.id;
        std::vector<CompleteState> result;
        for (State &state : others_of(bench.parts, complete.state, kernel)) {
            if (has_loops) state = with_loops_at(bench.parts, std::move(state), root);
            result.push_back(
                together_as(schedule.complete, {complete.dag, std::move(state), complete.freedom}));
        }
        part.done(complete.state.cost);
        return result;
    }

    // What is tiled anew is unrolled anew, too.
    static State with_loops_at(SearchParts &parts, State state, StageId root) {
        const std::optional<size_t> k = position_of(state, root);
        return k ? with_reductions_as_loops(parts, std::move(state), *k) : state;
    }

    // With a kernel that spills changed a little, and with all that do tiled anew.
    std::vector<CompleteState> neighbours_of(const ComposedSchedule &schedule, size_t kernel) {
        const std::vector<CompleteState> fewer_steps =
            with_kernel_as(schedule, kernel, with_fewer_steps);
        std::vector<CompleteState> result =
            with_kernel_as(schedule, kernel, [](SearchParts &parts, const State &state, size_t k) {
                return neighbours(parts, state, k, kMostNeighbours);
            });
        for (const Tightening &tightening : kTightenings) {
            result.push_back(tightened(schedule, tightening));
        }
        std::ranges::stable_sort(result, {},
                                 [](const CompleteState &one) { return one.state.cost; });
        // These are sure to keep fewer values at once.
        result.insert(result.begin(), fewer_steps.begin(), fewer_steps.end());
        return result;
    }

    // With each kernel that spills changed so.
    using Change = State (*)(SearchParts &parts, State state, size_t kernel);
    CompleteState changed_where_it_spills(const ComposedSchedule &schedule, Change change) {
        const CompleteState complete = apart(schedule.complete);
        RunningPart part(report_, "tighter_kernels", complete.state.cost);
        const SearchSpace space(*complete.dag, of_.models.gpu, of_.rules, complete.freedom);
        Workbench bench(space, *of_.models.model, context_, report_);
        State state = complete.state;
        for (const size_t k : kernels_that_spill(schedule.judgement)) {
            state = change(bench.parts, std::move(state), k);
        }
        part.done(state.cost);
        return together_as(schedule.complete, {complete.dag, std::move(state), complete.freedom});
    }

    // With what the kernels that spill read of others in shared memory.
    CompleteState with_reads_staged(const ComposedSchedule &schedule) {
        const CompleteState complete = apart(schedule.complete);
        if (complete.freedom != Freedom::full) return complete;
        RunningPart part(report_, "tighter_kernels", complete.state.cost);
        const WrappedReads wrapped = with_wrapped_reads(*complete.dag, complete.state.nest);
        const SearchSpace space(wrapped.dag, of_.models.gpu, of_.rules, complete.freedom);
        Workbench bench(space, *of_.models.model, context_, report_);
        State state = with_staged_reads(bench.parts, wrapped,
                                        kernels_that_spill(schedule.judgement), kMostRise);
        part.done(state.cost);
        return together_as(schedule.complete, {std::make_shared<const Dag>(wrapped.dag),
                                               std::move(state), complete.freedom});
    }

    // With the kernels that spill tiled anew, at what it costs on the device that there is.
    CompleteState tightened(const ComposedSchedule &schedule, const Tightening &tightening) {
        const CompleteState complete = apart(schedule.complete);
        RunningPart part(report_, "tighter_kernels", complete.state.cost);
        const int64_t registers = of_.models.gpu.max_registers_per_thread * tightening.eighths / 8;
        RankingModels models = of_.models.with_registers(registers, of_.model);
        if (tightening.spills == Spills::at_no_price) {
            models = std::move(models).averse_to_spills();
        }
        CompleteState result = complete;
        const SearchSpace space(*complete.dag, models.gpu, of_.rules, complete.freedom);
        for (const size_t k : kernels_that_spill(schedule.judgement)) {
            retile(complete.state.nest.kernels[k]->stage, space, *models.model, result);
        }
        set_true_costs(result);
        part.done(result.state.cost);
        return together_as(schedule.complete, std::move(result));
    }

    // The kernel of that stage, by another model. The state's costs are its own.
    void retile(StageId root, const SearchSpace &space, const CostModel &model,
                CompleteState &complete) {
        Workbench bench(space, model, context_, report_);
        State state = with_costs(bench.costs, space.adopt(complete.state.nest));
        // What was reconsidered for a kernel before it may have put it into another.
        const std::optional<size_t> k = position_of(state, root);
        if (!k) return;
        state = improve_tiling(bench.parts, std::move(state), *k);
        std::vector<FuncId> members;
        for (const Member &member : state.nest.kernels[*k]->members) members.push_back(member.func);
        complete.state = reconsider_once(bench.parts, std::move(state), members);
    }

    // What a search finds for a device with so many registers per thread, at what it costs on the
    // device that there is.
    CompleteState found_with_registers(int64_t registers, const SearchStrategy &strategy,
                                       const ComposedSchedule &instead_of) {
        const PhaseTimer timer(report_.times.fewer_registers);
        RunningPart part(report_, "fewer_registers", instead_of.complete.state.cost);
        const RankingModels models = of_.models.with_registers(registers, of_.model);
        const SearchSpace space(*of_.dag, models.gpu, of_.rules, Freedom::full);
        const SearchProblem problem{space, models, &start_};
        SearchResult result = strategy.search(problem, context_);
        const State &best = result.best.front();
        CompleteState found = strategy.finish(problem, context_, best, result.report)
                                  .value_or(CompleteState{of_.dag, best, space.freedom()});
        const CompleteState as_found = found;
        set_true_costs(found);
        found = together_as(as_found, std::move(found));
        part.done(found.state.cost);
        report_.parts.back().states = result.report.states_scored;
        return found;
    }

    void set_true_costs(CompleteState &found) const {
        const SearchSpace space(*found.dag, of_.models.gpu, of_.rules, found.freedom);
        ThreadPool pool(context_.options.limits.threads);
        ModelCosts costs(*found.dag, of_.models.gpu, *of_.models.model, pool);
        found.state = with_costs(costs, space.adopt(with_launches_apart(found.state.nest)));
    }

    // With a launch for each kernel, so that kernels can be changed alone.
    CompleteState apart(CompleteState complete) const {
        if (shares_launches(complete.state.nest)) set_true_costs(complete);
        return complete;
    }

    // A state whose kernels have launches of their own, with launches that they share, if another
    // state has such.
    CompleteState together_as(const CompleteState &other, CompleteState complete) {
        if (!shares_launches(other.state.nest)) return complete;
        const SearchSpace space(*complete.dag, of_.models.gpu, of_.rules, complete.freedom);
        complete.state =
            share_launches(space, *of_.models.model, context_, std::move(complete.state), report_);
        return complete;
    }

    const Composition &of_;
    SearchContext &context_;
    Judge &judge_;
    SearchReport report_;
    Nest start_;                           // of the last search
    std::vector<CompleteState> finished_;  // in the present attempt, the cheapest first
    std::unordered_set<uint64_t> judged_;  // ids of states
};

}  // namespace

std::string_view to_string(Attempt attempt) {
    switch (attempt) {
        case Attempt::search:
            return "search";
        case Attempt::no_fusion:
            return "no_fusion";
        case Attempt::plain:
            return "plain";
        case Attempt::host:
            return "host";
    }
    return "";
}

Result<CompositionResult> compose(const Composition &composition, SearchContext &context,
                                  Judge &judge) {
    return Climb(composition, context, judge).run();
}

}  // namespace autoschedule_gpu
