#include "scheduler/strategies/composition.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/support/parallel.h"
#include "scheduler/nest/launch.h"
#include "scheduler/nest/structure.h"
#include "scheduler/nest/written_code.h"
#include "scheduler/search/share_launches.h"
#include "scheduler/search/without_vectors.h"
#include "scheduler/search/work_ahead.h"
#include "scheduler/search/worth_improving.h"
#include "scheduler/strategies/common_launches.h"
#include "scheduler/strategies/last_descent.h"
#include "scheduler/strategies/spill_remedies.h"
#include "scheduler/strategies/trials.h"

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

// A search that has spent all its effort has so much more, in stages of kernels, for that: what
// spills much may take many times as long as was expected of it.
constexpr double kEffortForSpills = 4e5;
// States that are finished, each only if the search has not spent more effort before: the further
// down the list, the more seldom it is the best in the end.
constexpr std::array kMostEffortBefore = {std::numeric_limits<double>::infinity(), 1.5e6, 1.1e6,
                                          1.1e6};
constexpr int kAllButTilings = 2;  // of structural_hash

// Where little is spilled, only shorter trials are worth a search for fewer registers.
constexpr double kMostTrialSecondsForLittle = 1;

std::span<const Rung> ladder_for(std::string_view strategy) {
    const auto own = std::ranges::find(kLadder, strategy, &Rung::strategy);
    return {own == std::end(kLadder) ? std::begin(kLadder) : own, std::end(kLadder)};
}

class Climb {
public:
    Climb(const Composition &composition, SearchContext &context, Judge &judge)
        : of_(composition),
          context_(context),
          judge_(judge),
          trials_(composition, context, judge, report_),
          launches_(composition, context, report_) {}

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
        const std::vector<CompleteState> found = candidates(rung, strategy, space);
        std::optional<ComposedSchedule> chosen = first_usable(found, rung, strategy);
        if (!chosen && rung.attempt == Attempt::search) {
            chosen = first_written_otherwise(found, rung, strategy);
        }
        for (SearchPart &part : std::span(report_.parts).subspan(parts_before)) {
            part.attempt = to_string(rung.attempt);
        }
        return chosen;
    }

    std::optional<ComposedSchedule> first_usable(std::span<const CompleteState> candidates,
                                                 const Rung &rung, const SearchStrategy &strategy) {
        for (const CompleteState &candidate : candidates) {
            const auto accepted = trials_.judged(candidate, rung.attempt);
            if (!accepted) continue;
            if (auto usable = best_usable(*accepted, rung, strategy)) return usable;
        }
        return std::nullopt;
    }

    // What compilers make wrong side by side they may make right one by one.
    std::optional<ComposedSchedule> first_written_otherwise(
        std::span<const CompleteState> candidates, const Rung &rung,
        const SearchStrategy &strategy) {
        const bool may_forget_signs = of_.models.gpu.api == GpuApi::cuda && has_bytes(*of_.dag);
        auto chosen = first_usable(all_as(without_vectors, candidates), rung, strategy);
        if (chosen || !may_forget_signs) return chosen;
        return first_usable(all_as(written_as_loops, candidates), rung, strategy);
    }

    // Of those that it changes.
    using Change = std::optional<Nest> (*)(const Dag &, Nest);
    std::vector<CompleteState> all_as(Change change, std::span<const CompleteState> candidates) {
        std::vector<CompleteState> result;
        for (const CompleteState &candidate : candidates) {
            std::optional<Nest> nest = change(*candidate.dag, candidate.state.nest);
            if (!nest) continue;
            CompleteState other = candidate;
            other.state.nest = *std::move(nest);
            launches_.set_true_costs(other);
            result.push_back(launches_.together_as(candidate, std::move(other)));
        }
        return result;
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
            if (shares_launches(finished.state.nest)) result.push_back(launches_.apart(finished));
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
        // Each has the effort that is left now, however many are made before the first is taken.
        const SearchContext start = beside(context_, pool);
        work_ahead(
            pool, states.size(),
            [&](size_t piece, size_t) -> std::optional<Finished> {
                if (is_too_late_for(piece)) return std::nullopt;
                return finished_beside(problem, strategy, *states[piece], start);
            },
            [&](size_t piece, std::optional<Finished> one) {
                if (context_.clock.is_up() || is_too_late_for(piece)) return GoOn::not_at_all;
                context_.clock.add(one->clock);
                add_piece(report_, std::move(one->report));
                if (one->complete && one->complete->state.cost < best.front().cost) {
                    finished.push_back(*std::move(one->complete));
                }
                return GoOn::with_next;
            });
        std::ranges::stable_sort(finished, {},
                                 [](const CompleteState &one) { return one.state.cost; });
        if (strategy.finishes() && may_descend()) descend(problem, best.front(), finished);
        return finished;
    }

    // From the cheapest that there is: the one that was found, where nothing was made of it.
    void descend(const SearchProblem &problem, const State &found,
                 std::vector<CompleteState> &finished) {
        const bool is_bare = finished.empty();
        if (is_bare) finished.push_back({of_.dag, found, problem.space.freedom()});
        finished.front() = last_descent(problem, context_, std::move(finished.front()), report_);
        if (is_bare && finished.front().state.cost >= found.cost) finished.clear();
    }

    // Whether a state, by its place, is not to be finished, nor what was made of it ahead to be
    // taken: what is too late once is so ever after.
    bool is_too_late_for(size_t piece) const {
        return context_.clock.effort() > kMostEffortBefore[piece];
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
            if (!is_worth_improving(state.cost, best.front().cost)) break;
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
                             const State &state, SearchContext own) const {
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

    ComposedSchedule without_spills(ComposedSchedule best, const SearchStrategy &strategy) {
        if (spills(best)) context_.clock.reserve_effort(kEffortForSpills);
        const double least_cost = best.complete.state.cost;
        best = with_remedies_for_spills(of_, context_, trials_, report_, std::move(best));
        const auto is_good = [&] {
            return !spills_at_estimates(best) && best.complete.state.cost <= kMostRise * least_cost;
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
            if (other.state.cost > trials_.most_cost(best)) break;
            best = trials_.better_of(std::move(best), std::move(other));
            // With fewer still, what spills nothing costs more.
            if (best.complete.state.id == id && !spills_at_estimates(best)) break;
        }
        return best;
    }

    // The next of those that were finished may be hardly dearer, and spill nothing.
    ComposedSchedule or_next_finished(ComposedSchedule best) {
        const auto next = std::ranges::find_if(finished_, [&](const CompleteState &finished) {
            return !trials_.was_judged(finished);
        });
        if (!spills_at_estimates(best) || next == finished_.end()) return best;
        return trials_.better_of(std::move(best), *next);
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
        launches_.set_true_costs(found);
        found = launches_.together_as(as_found, std::move(found));
        part.done(found.state.cost);
        report_.parts.back().states = result.report.states_scored;
        return found;
    }

    const Composition &of_;
    SearchContext &context_;
    Judge &judge_;
    SearchReport report_;
    Trials trials_;
    CommonLaunches launches_;
    Nest start_;                           // of the last search
    std::vector<CompleteState> finished_;  // in the present attempt, the cheapest first
};

bool was_found_by_search(const CompositionResult &result) {
    return result.schedule && result.schedule->attempt == Attempt::search;
}

// Trials for OpenCL refuse barriers under conditions (halide/lower/device_code.h). Which places of
// Funcs lead to them only they can tell; a search without all that might is made only where they
// have refused all that the first one found. Nothing, if it was made without them.
std::optional<RuleBook> without_doubtful_barriers(const RuleBook &rules) {
    const std::optional<RuleId> rule = rules.find("doubtful_barrier");
    if (!rule || rules.has(*rule)) return std::nullopt;
    RuleBook result = rules;
    result.switch_on(*rule);
    return result;
}

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
    Result<CompositionResult> result = Climb(composition, context, judge).run();
    const bool searches = ladder_for(composition.strategy).front().attempt == Attempt::search;
    const bool is_opencl = composition.models.gpu.api == GpuApi::opencl;
    if (!result || !searches || !is_opencl || was_found_by_search(*result)) return result;
    const std::optional<RuleBook> stricter = without_doubtful_barriers(composition.rules);
    if (!stricter) return result;
    const Composition again{composition.dag, composition.models,     composition.model,
                            *stricter,       composition.strategies, composition.strategy};
    Result<CompositionResult> second = Climb(again, context, judge).run();
    return second && was_found_by_search(*second) ? std::move(second) : std::move(result);
}

}  // namespace autoschedule_gpu
