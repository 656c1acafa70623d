#include "scheduler/decisions/choices.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "scheduler/decisions/kinds/compute_with.h"
#include "scheduler/decisions/kinds/place.h"
#include "scheduler/decisions/kinds/tiling.h"
#include "scheduler/decisions/walk.h"
#include "scheduler/space/tilings.h"

namespace autoschedule_gpu {
namespace {

// Steps that are made to see whether places lead on. Beyond, only the first of each is.
constexpr size_t kMostSteps = 16384;

class Choosing {
public:
    Choosing(const SearchSpace &space, const ResolvedList &resolved, DecisionList &list)
        : space_(space),
          dag_(space.dag()),
          steps_(space.steps()),
          resolved_(resolved),
          list_(list),
          listed_{space, resolved, list} {}

    // The states before each step, and the last.
    std::optional<RefusedStep> walk() {
        way_.push_back(space_.initial());
        for (const Step &step : steps_) {
            std::variant<State, RefusedStep> after = after_step(listed_, way_.back(), step);
            if (const auto *refused = std::get_if<RefusedStep>(&after)) return *refused;
            way_.push_back(std::get<State>(std::move(after)));
        }
        return std::nullopt;
    }

    void choose() {
        find_changes();
        for (size_t i = 0; i < steps_.size(); ++i) {
            const Step &step = steps_[i];
            if (step.kind == Step::Kind::place) {
                choose_place(i);
                choose_member(i);
            } else {
                choose_tiling(step.stage);
            }
        }
    }

    std::variant<State, RefusedStep> end(const StageKinds &kinds) && {
        std::variant<State, RefusedStep> after =
            after_stage_kinds(listed_, kinds, std::move(way_.back()));
        State *const state = std::get_if<State>(&after);
        return state == nullptr ? after : after_launches(listed_, std::move(*state));
    }

private:
    // The steps that change each kernel.
    void find_changes() {
        changes_.resize(way_.back().nest.kernels.size());
        for (size_t i = 0; i < steps_.size(); ++i) {
            const auto &before = way_[i].nest.kernels, &after = way_[i + 1].nest.kernels;
            for (size_t k = 0; k < after.size(); ++k) {
                if (k >= before.size() || before[k] != after[k]) changes_[k].push_back(i);
            }
        }
    }

    // Steps from this one on that change that kernel.
    std::span<const size_t> changes_from(size_t step, size_t kernel) const {
        const std::vector<size_t> &changes = changes_[kernel];
        return {std::ranges::lower_bound(changes, step), changes.end()};
    }

    // Steps from this one on that another place of its Func may stand in the way of: those that
    // change a kernel in which it is, or which reads it, and its own tiles.
    std::vector<size_t> affected_by(size_t step) const {
        const FuncId func = steps_[step].func;
        const std::vector<size_t> readers = consumer_kernels(dag_, way_[step], func);
        std::set<size_t> affected{step};
        for (size_t k = 0; k < changes_.size(); ++k) {
            const std::span<const size_t> changes = changes_from(step, k);
            const bool is_in = !changes.empty() && changes.front() == step;
            if (is_in || std::ranges::binary_search(readers, k)) {
                affected.insert(changes.begin(), changes.end());
            }
        }
        for (size_t i = step + 1; i < steps_.size(); ++i) {
            if (steps_[i].kind == Step::Kind::tile && steps_[i].func == func) affected.insert(i);
        }
        return {affected.begin(), affected.end()};
    }

    // Of those values, in their order, the ones that are legal, and the decision's own.
    template <typename Legal>
    void set_choices(size_t decision, const std::vector<DecisionValue> &values, Legal legal) {
        Coordinate &own = list_.decisions[decision];
        const DecisionValue value = own.value;
        own.choices.clear();
        for (const DecisionValue &other : values) {
            own.value = other;
            if (other == value || legal()) own.choices.push_back(other);
        }
        own.value = value;
    }

    // Whether those steps can be made, one after the other, from the state before the first.
    bool leads_on(std::span<const size_t> steps) const {
        State state = way_[steps.front()];
        for (size_t step : steps) {
            std::variant<State, RefusedStep> after =
                after_step(listed_, std::move(state), steps_[step]);
            if (!std::holds_alternative<State>(after)) return false;
            state = std::get<State>(std::move(after));
        }
        return true;
    }

    void choose_place(size_t step) {
        const std::vector<DecisionValue> places = place_values();
        std::vector<size_t> steps = affected_by(step);
        const size_t cost = (places.size() - 1) * steps.size();
        if (cost > steps_left_) steps = {step};
        steps_left_ -= std::min(cost, steps_left_);
        set_choices(*resolved_.place(steps_[step].func), places, [&] { return leads_on(steps); });
    }

    // Sizes of what is computed in a block: the steps that change the same kernel must lead on.
    void choose_member(size_t step) {
        const FuncId func = steps_[step].func;
        const State &end = way_.back();
        if (!is_in_kernel(end.nest.place(func))) return;
        const StageId pure = dag_.func(func).stages[0];
        const auto kernel = static_cast<size_t>(end.home[pure.index()]);
        const std::span<const size_t> steps = changes_from(step, kernel);
        const auto legal = [&] { return leads_on(steps); };
        if (const ResolvedList::Index tile = resolved_.member_tile(func)) {
            set_choices(*tile, member_tile_values(), legal);
        }
        const Band *threads = find_threads(*end.nest.kernels[kernel], pure);
        if (threads == nullptr) return;
        for (size_t l = 0; l < threads->trips.size(); ++l) {
            const ResolvedList::Index serial = resolved_.loop(pure, l).serial;
            if (!serial) continue;
            set_choices(*serial, member_serials(space_, *threads, l, value(*serial)), legal);
        }
    }

    void choose_tiling(StageId stage) {
        const State &end = way_.back();
        const int32_t home = end.home[stage.index()];
        if (end.nest.place(dag_.stage(stage).func) != Place::root || home < 0) return;
        const Tiling &now = end.nest.kernels[static_cast<size_t>(home)]->tiling;
        const auto legal = [&] { return may_be_tiled(stage, static_cast<size_t>(home)); };
        for (size_t l = 0; l < now.size(); ++l) {
            const auto &[reduction, rows, serial, threads, sliding] = resolved_.loop(stage, l);
            if (reduction) {
                set_choices(*reduction, reduction_values(), legal);
            }
            if (rows) set_choices(*rows, rows_values(), legal);
            const auto choose_size = [&](const ResolvedList::Index &size, int64_t LoopTile::*of) {
                if (size) set_choices(*size, loop_sizes(space_, stage, l, of, value(*size)), legal);
            };
            choose_size(serial, &LoopTile::serial);
            choose_size(threads, &LoopTile::threads);
            choose_size(sliding, &LoopTile::walk);
        }
    }

    // With all that is computed in the kernel.
    bool may_be_tiled(StageId stage, size_t kernel) const {
        const Tiling plain = default_tiling(dag_, space_.gpu(), stage);
        const std::variant<Tiling, RefusedStep> tiling = listed_tiling(listed_, stage, plain);
        if (!std::holds_alternative<Tiling>(tiling)) return false;
        const Decision decision =
            decide_tiling(dag_.stage(stage).func, kernel, std::get<Tiling>(tiling));
        return std::holds_alternative<Successor>(space_.apply(way_.back(), decision));
    }

    const DecisionValue &value(size_t decision) const { return list_.decisions[decision].value; }

    const SearchSpace &space_;
    const Dag &dag_;
    const std::vector<Step> &steps_;
    const ResolvedList &resolved_;
    DecisionList &list_;
    const ListedSteps listed_;
    std::vector<State> way_;
    std::vector<std::vector<size_t>> changes_;  // by kernel; ascending
    size_t steps_left_ = kMostSteps;
};

}  // namespace

Result<State> add_choices(const SearchSpace &space, DecisionList &list, const StageKinds &kinds) {
    const Result<ResolvedList> resolved =
        ResolvedList::create(list, space.dag(), Names(space.dag()), kinds);
    if (!resolved) return resolved.error();
    Choosing choosing(space, *resolved, list);
    if (const std::optional<RefusedStep> refused = choosing.walk()) {
        return refusal(list, *refused);
    }
    choosing.choose();
    std::variant<State, RefusedStep> end = std::move(choosing).end(kinds);
    if (const auto *refused = std::get_if<RefusedStep>(&end)) return refusal(list, *refused);
    return std::get<State>(std::move(end));
}

}  // namespace autoschedule_gpu
