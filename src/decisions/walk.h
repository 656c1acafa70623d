// A walk through a search space along a list of decisions, step by step.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "decisions/decision_list.h"
#include "decisions/resolved_list.h"
#include "space/space.h"
#include "space/state.h"

namespace autoschedule_gpu {

// Why a step can't be made: the decision that fails, by its index in the list; none where it is one
// that the list lacks.
struct RefusedStep {
    std::optional<size_t> decision;
    std::string why;
};

Error refusal(const DecisionList &list, const RefusedStep &refused);

class Walk {
public:
    // All must outlive the walk.
    Walk(const SearchSpace &space, const ResolvedList &resolved)
        : space_(space), dag_(space.dag()), resolved_(resolved) {}

    // The state after the step, as the list has it, which must be the one that was resolved or
    // differ from it in values only. Costs are not filled in.
    std::variant<State, RefusedStep> after(State state, const Step &step,
                                           const DecisionList &list) const;

    // The state after the last step, its loops unrolled as the list has it.
    std::variant<State, RefusedStep> unrolled(State state, const DecisionList &list) const;

    // The root stage's tiling by the list; what it lacks is as in `plain`.
    std::variant<Tiling, RefusedStep> tiling(StageId stage, const Tiling &plain,
                                             const DecisionList &list) const;

private:
    std::variant<State, RefusedStep> placed(State state, FuncId func,
                                            const DecisionList &list) const;
    std::variant<State, RefusedStep> tiled(State state, StageId stage,
                                           const DecisionList &list) const;
    std::variant<LoopTile, RefusedStep> tile(StageId stage, size_t loop, LoopTile plain,
                                             const DecisionList &list) const;
    std::variant<Move, Rule> move_to(const State &state, FuncId func, Place place,
                                     const DecisionList &list) const;
    std::variant<Move, Rule> move_into(const State &state, FuncId func, Place place,
                                       const DecisionList &list) const;

    const SearchSpace &space_;
    const Dag &dag_;
    const ResolvedList &resolved_;
};

}  // namespace autoschedule_gpu
