#include "scheduler/strategies/spill_remedies.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "scheduler/nest/structure.h"
#include "scheduler/nest/thread_code.h"
#include "scheduler/nest/written_code.h"
#include "scheduler/search/choose_steps.h"
#include "scheduler/search/improve_tilings.h"
#include "scheduler/search/kernel_costs.h"
#include "scheduler/search/reconsider_places.h"
#include "scheduler/search/search_parts.h"
#include "scheduler/search/stage_inputs.h"
#include "scheduler/space/wrappers.h"
#include "scheduler/strategies/common_launches.h"

namespace autoschedule_gpu {

namespace {

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
constexpr size_t kMostNeighbours = 4;
// Trials of one kernel are counted as taking so long at least: none is done in no time.
constexpr double kLeastTrialSeconds = 0.25;
// A change that gains less than this of the whole is worth no trial.
constexpr double kLeastGain = 0.003;
// Whatever the machine: what is tried must not depend on it.
constexpr size_t kTrialsAtOnce = 2;

// The first of those that spill whose root stage is not among these.
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

bool has_kernel(const ComposedSchedule &schedule, uint64_t hash) {
    return std::ranges::any_of(schedule.complete.state.nest.kernels,
                               [&](const KernelPtr &kernel) { return kernel->hash == hash; });
}

// Whether one spills where the other does not, which spills nothing at the estimates.
bool spills_more(const ComposedSchedule &one, const ComposedSchedule &other) {
    return spills_at_estimates(one) || (spills(one) && !spills(other));
}

bool spills_in(const ComposedSchedule &schedule, StageId root) {
    return std::ranges::any_of(kernels_that_spill(schedule.judgement), [&](size_t k) {
        return schedule.complete.state.nest.kernels[k]->stage == root;
    });
}

class Remedies {
public:
    Remedies(const Composition &composition, SearchContext &context, Trials &trials,
             SearchReport &report, ComposedSchedule found)
        : of_(composition),
          context_(context),
          trials_(trials),
          report_(report),
          launches_(composition, context, report),
          found_(std::move(found)),
          best_(found_),
          cleanest_(found_) {
        remember_what_spills(found_);
    }

    ComposedSchedule remedied() {
        try_all();
        if (spills_at_estimates(best_)) return best_;
        give_changed_kernels_more_steps();
        if (spills(best_)) {  // at other sizes alone: what is nearly the same may not
            cleanest_ = best_;
            try_neighbours();
        }
        return best_;
    }

private:
    // Each remedy goes on from what was tried last.
    void try_all() {
        if (is_little(cleanest_)) try_neighbours();
        ComposedSchedule last = cleanest_;
        const auto try_to = [&](CompleteState other) {
            if (!trials_.is_worth_it(other, best_)) return;
            if (auto accepted = judged(std::move(other))) last = *std::move(accepted);
        };
        const auto is_done = [&] {
            return kernels_that_spill(last.judgement).empty() || context_.clock.is_up();
        };
        const auto try_each = [&](void (Remedies::*remedy)()) {
            if (is_done() || !spills(best_)) return;
            (this->*remedy)();
            last = cleanest_;
        };
        if (!is_done()) try_to(changed_where_it_spills(last, with_reductions_as_loops));
        try_each(&Remedies::try_less_inlined);
        for (const Tightening &tightening : kTightenings) {
            if (!is_done()) try_to(tightened(last, tightening));
        }
        // Many kernels are worth one trial of all, one kernel several.
        const auto halve = [&] {
            try_to(changed_where_it_spills(cleanest_, with_half_the_points));
        };
        if (!is_done() && kernels_that_spill(cleanest_.judgement).size() > 1) halve();
        try_each(&Remedies::try_smaller_tiles);
        if (!is_done() && spills(best_)) halve();
        if (is_little(cleanest_)) try_each(&Remedies::try_neighbours);
        if (!is_done() && spills(best_)) try_to(with_reads_staged(cleanest_));
    }

    // Nothing: it is refused.
    std::optional<ComposedSchedule> judged(CompleteState other) {
        auto accepted = trials_.judged(std::move(other), found_.attempt);
        if (!accepted) return std::nullopt;
        remember_what_spills(*accepted);
        if (trials_.is_better(*accepted, best_)) best_ = *accepted;
        if (trials_.is_cleaner(*accepted, cleanest_, found_)) cleanest_ = *accepted;
        return accepted;
    }

    void remember_what_spills(const ComposedSchedule &schedule) {
        const CompleteState &complete = schedule.complete;
        for (const size_t k : kernels_that_spill(schedule.judgement)) {
            spilled_.insert(thread_code_hash(*complete.dag, *complete.state.nest.kernels[k]));
        }
    }

    // Whether the kernel of that root stage makes its threads execute what has spilled.
    bool is_known_to_spill(const CompleteState &other, StageId root) const {
        const std::optional<size_t> k = position_of(other.state, root);
        return k && spilled_.contains(thread_code_hash(*other.dag, *other.state.nest.kernels[*k]));
    }

    // How many steps are written out was chosen for the kernels as they were found. Those that have
    // become others may have more, as long as nothing more spills.
    void give_changed_kernels_more_steps() {
        for (size_t k = 0; k < best_.complete.state.nest.kernels.size(); ++k) {
            if (has_kernel(found_, best_.complete.state.nest.kernels[k]->hash)) continue;
            while (take_more_steps(k)) {
            }
        }
    }

    // The cheapest that is cheaper, and spills no more. False: there is none.
    bool take_more_steps(size_t k) {
        std::vector<CompleteState> others =
            with_kernel_as(best_, k, with_more_steps, Loops::may_change);
        std::erase_if(others, [&](const CompleteState &other) {
            return other.state.cost >= (1 - kLeastGain) * best_.complete.state.cost ||
                   !trials_.is_worth_it(other, best_);
        });
        prepare(others, [](const CompleteState &) { return true; });
        for (CompleteState &other : others) {
            auto accepted = trials_.judged(std::move(other), found_.attempt);
            if (accepted && !spills_more(*accepted, best_) && trials_.is_better(*accepted, best_)) {
                best_ = *std::move(accepted);
                return true;
            }
        }
        return false;
    }

    // Tries other states for each kernel that spills, as long as it does: others_of(schedule,
    // kernel) are in the order in which they are worth it. may_fit(state, root) says so of one; the
    // root stages of kernels that were tried and spill go to spilled(state, root).
    template <typename OthersOf, typename MayFit, typename Spilled>
    void try_in_turn(const OthersOf &others_of, const MayFit &may_fit, const Spilled &spilled) {
        std::set<StageId> tried;  // of the kernels, the root stages
        while (const std::optional<size_t> k = next_that_spills(cleanest_, tried)) {
            const StageId root = cleanest_.complete.state.nest.kernels[*k]->stage;
            tried.insert(root);
            double seconds = 0;
            spilled(cleanest_.complete, root);
            std::vector<CompleteState> others = others_of(cleanest_, *k);
            const auto may_help = [&](const CompleteState &other) {
                return trials_.is_worth_it(other, best_) && !is_known_to_spill(other, root) &&
                       may_fit(other, root);
            };
            size_t prepared = 0;  // so many of them
            for (size_t i = 0; i < others.size(); ++i) {
                if (!spills_in(cleanest_, root) || seconds > kMostTrialSeconds) break;
                if (!may_help(others[i])) continue;
                if (i >= prepared) prepared = i + prepare(std::span(others).subspan(i), may_help);
                seconds += std::max(kLeastTrialSeconds, lowering_seconds_of(others[i], root));
                const auto accepted = judged(std::move(others[i]));
                if (accepted && spills_in(*accepted, root)) spilled(accepted->complete, root);
            }
        }
    }

    // Has the first of those that may help tried beside each other: a trial keeps one process busy.
    // Returns how many states those are and what is between them.
    template <typename MayHelp>
    size_t prepare(std::span<const CompleteState> others, const MayHelp &may_help) {
        std::vector<const CompleteState *> next;
        size_t seen = 0;
        for (; seen < others.size() && next.size() < kTrialsAtOnce; ++seen) {
            const CompleteState &other = others[seen];
            const bool is_there = std::ranges::any_of(
                next, [&](const auto *one) { return one->state.id == other.state.id; });
            if (!is_there && may_help(other)) next.push_back(&other);
        }
        trials_.prepare(next, found_.attempt);
        return seen;
    }

    // Where little is spilled, something that is nearly the same spills nothing. No estimate tells
    // what: the compiler does, one by one, the cheapest first.
    void try_neighbours() {
        try_in_turn([&](const auto &schedule, size_t k) { return neighbours_of(schedule, k); },
                    [](const auto &, StageId) { return true; }, [](const auto &, StageId) {});
    }

    // With what is inlined in the kernels that spill computed before it is needed, in registers or
    // in shared memory: inlined, compilers keep what many points share of it.
    void try_less_inlined() {
        try_in_turn([&](const auto &schedule,
                        size_t k) { return with_kernel_as(schedule, k, with_less_inlined_in); },
                    [](const auto &, StageId) { return true; }, [](const auto &, StageId) {});
    }

    // With fewer points per thread in the kernels that spill. In which shape they fit into the
    // registers, no estimate tells either. What holds a shape that spills does so, too.
    void try_smaller_tiles() {
        std::map<StageId, std::vector<Tiling>> too_large;
        try_in_turn([&](const auto &schedule,
                        size_t k) { return with_kernel_as(schedule, k, with_fewer_points); },
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
    // Whether reductions of which no steps are written out stay such loops. What is tiled anew is
    // unrolled anew, too.
    enum class Loops : uint8_t { stay, may_change };
    std::vector<CompleteState> with_kernel_as(const ComposedSchedule &schedule, size_t kernel,
                                              Others others_of, Loops loops = Loops::stay) {
        const CompleteState complete = launches_.apart(schedule.complete);
        RunningPart part(report_, "tighter_kernels", complete.state.cost);
        const SearchSpace space(*complete.dag, of_.models.gpu, of_.rules, complete.freedom);
        Workbench bench(space, *of_.models.model, context_, report_);
        const StageId root = complete.state.nest.kernels[kernel]->stage;
        const bool keeps_loops =
            loops == Loops::stay &&
            with_reductions_as_loops(bench.parts, complete.state, kernel).id == complete.state.id;
        std::vector<CompleteState> result;
        for (State &state : others_of(bench.parts, complete.state, kernel)) {
            if (keeps_loops) state = with_loops_at(bench.parts, std::move(state), root);
            result.push_back(launches_.together_as(
                schedule.complete, {complete.dag, std::move(state), complete.freedom}));
        }
        part.done(complete.state.cost);
        return result;
    }

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
        // Of a loop with more of its steps written out compilers write out fewer themselves.
        std::ranges::move(with_kernel_as(schedule, kernel, with_more_steps, Loops::may_change),
                          std::back_inserter(result));
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
        const CompleteState complete = launches_.apart(schedule.complete);
        RunningPart part(report_, "tighter_kernels", complete.state.cost);
        const SearchSpace space(*complete.dag, of_.models.gpu, of_.rules, complete.freedom);
        Workbench bench(space, *of_.models.model, context_, report_);
        State state = complete.state;
        for (const size_t k : kernels_that_spill(schedule.judgement)) {
            state = change(bench.parts, std::move(state), k);
        }
        part.done(state.cost);
        return launches_.together_as(schedule.complete,
                                     {complete.dag, std::move(state), complete.freedom});
    }

    // With what the kernels that spill read of others in shared memory.
    CompleteState with_reads_staged(const ComposedSchedule &schedule) {
        const CompleteState complete = launches_.apart(schedule.complete);
        if (complete.freedom != Freedom::full) return complete;
        RunningPart part(report_, "tighter_kernels", complete.state.cost);
        const WrappedReads wrapped = with_wrapped_reads(*complete.dag, complete.state.nest);
        const SearchSpace space(wrapped.dag, of_.models.gpu, of_.rules, complete.freedom);
        Workbench bench(space, *of_.models.model, context_, report_);
        State state = with_staged_reads(bench.parts, wrapped,
                                        kernels_that_spill(schedule.judgement), kMostRise);
        part.done(state.cost);
        return launches_.together_as(schedule.complete, {std::make_shared<const Dag>(wrapped.dag),
                                                         std::move(state), complete.freedom});
    }

    // With the kernels that spill tiled anew, at what it costs on the device that there is.
    CompleteState tightened(const ComposedSchedule &schedule, const Tightening &tightening) {
        const CompleteState complete = launches_.apart(schedule.complete);
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
        launches_.set_true_costs(result);
        part.done(result.state.cost);
        return launches_.together_as(schedule.complete, std::move(result));
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

    const Composition &of_;
    SearchContext &context_;
    Trials &trials_;
    SearchReport &report_;
    CommonLaunches launches_;
    const ComposedSchedule found_;
    ComposedSchedule best_;
    ComposedSchedule cleanest_;   // from which the next remedies go on
    std::set<uint64_t> spilled_;  // thread_code_hash() of kernels
};

}  // namespace

ComposedSchedule with_remedies_for_spills(const Composition &composition, SearchContext &context,
                                          Trials &trials, SearchReport &report,
                                          ComposedSchedule best) {
    return Remedies(composition, context, trials, report, std::move(best)).remedied();
}

}  // namespace autoschedule_gpu
