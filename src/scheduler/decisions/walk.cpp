#include "scheduler/decisions/walk.h"

#include <utility>

#include "scheduler/decisions/kinds/place.h"
#include "scheduler/decisions/kinds/tiling.h"

namespace autoschedule_gpu {
namespace {

std::variant<State, RefusedStep> placed(const ListedSteps &steps, State state, FuncId func) {
    const std::variant<Decision, RefusedStep> decision = place_decision(steps, state, func);
    if (const auto *refused = std::get_if<RefusedStep>(&decision)) return *refused;
    const auto applied = steps.space.apply(state, std::get<Decision>(decision));
    if (const Rejection *no = std::get_if<Rejection>(&applied)) {
        return RefusedStep{steps.resolved.place(func), steps.text(*no)};
    }
    return with_open_costs(steps.dag(), std::move(state), std::get<Successor>(applied));
}

std::variant<State, RefusedStep> tiled(const ListedSteps &steps, State state, StageId stage) {
    const auto index = static_cast<size_t>(state.home[stage.index()]);
    const Kernel &kernel = *state.nest.kernels[index];
    if (kernel.on_host) return state;
    const std::variant<Tiling, RefusedStep> tiling = listed_tiling(steps, stage, kernel.tiling);
    if (const auto *refused = std::get_if<RefusedStep>(&tiling)) return *refused;
    const Decision decision =
        decide_tiling(steps.dag().stage(stage).func, index, std::get<Tiling>(tiling));
    const auto applied = steps.space.apply(state, decision);
    if (const Rejection *no = std::get_if<Rejection>(&applied)) {
        return RefusedStep{steps.resolved.first_of(stage), steps.text(*no)};
    }
    return with_open_costs(steps.dag(), std::move(state), std::get<Successor>(applied));
}

// The limit of the device or of Halide that a kernel breaks after a decision, and did not before.
std::optional<Rejection> breaks_limit(const SearchSpace &space, const Kernel &before,
                                      const Kernel &after) {
    if (after.hash == before.hash) return std::nullopt;
    const std::optional<Rejection> no = space.rejection(after);
    const bool is_limit = no && space.rules()[no->rule].in_force == InForce::always;
    return is_limit && !space.rejection(before) ? no : std::nullopt;
}

}  // namespace

std::variant<State, RefusedStep> after_step(const ListedSteps &steps, State state,
                                            const Step &step) {
    if (step.kind == Step::Kind::place) return placed(steps, std::move(state), step.func);
    if (state.nest.place(step.func) != Place::root) return state;
    return tiled(steps, std::move(state), step.stage);
}

std::variant<State, RefusedStep> after_stage_kinds(const ListedSteps &steps,
                                                   const StageKinds &kinds, State state) {
    const Dag &dag = steps.dag();
    for (size_t k = 0; k < kinds.size(); ++k) {
        for (size_t s = 0; s < dag.stages.size(); ++s) {
            const StageId stage(s);
            const ResolvedList::Index coordinate = steps.resolved.of_stage(k, stage);
            if (!coordinate || state.home[s] < 0) continue;
            const auto home = static_cast<size_t>(state.home[s]);
            if (state.nest.kernels[home]->on_host) continue;
            Result<KernelPtr> kernel = kinds[k]->decide(dag, state.nest.kernels[home], stage,
                                                        steps.list.decisions[*coordinate].value);
            if (!kernel) return RefusedStep{coordinate, kernel.error().message};
            if (const auto no = breaks_limit(steps.space, *state.nest.kernels[home], **kernel)) {
                return RefusedStep{coordinate, steps.text(*no)};
            }
            const FuncId func = dag.stages[s].func;
            state = with_open_costs(dag, std::move(state),
                                    {func, state.nest.place(func), {{home, *kernel}}});
        }
    }
    return state;
}

}  // namespace autoschedule_gpu
