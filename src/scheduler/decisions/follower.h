// Follows a list of decisions, and then lists that differ from it in values: what they share is
// made once, and of a change only the steps are made that it may change. For who prices every
// other choice of a schedule, one by one.
#pragma once

#include <memory>
#include <vector>

#include "core/dag/dag.h"
#include "core/gpu/gpu_model.h"
#include "core/support/error.h"
#include "scheduler/decisions/decision_list.h"
#include "scheduler/decisions/kinds/stage_kinds.h"
#include "scheduler/decisions/resolved_list.h"
#include "scheduler/rules/rule_book.h"
#include "scheduler/space/space.h"
#include "scheduler/space/state.h"

namespace autoschedule_gpu {

// The pipeline with the wrappers of single readers for which the list has a place.
Dag with_listed_wrappers(const DecisionList &list, const Dag &dag);

class Follower {
public:
    // As follow() (scheduler/decisions/follow.h), with its errors. `gpu` must outlive the result.
    static Result<std::unique_ptr<const Follower>> create(const DecisionList &list, const Dag &dag,
                                                          const GpuModel &gpu,
                                                          const RuleBook &rules,
                                                          const StageKinds &kinds = stage_kinds());

    const DecisionList &list() const { return list_; }
    const std::shared_ptr<const Dag> &dag() const { return dag_; }
    const SearchSpace &space() const { return space_; }
    // Complete; costs are not filled in.
    const State &end() const { return end_; }
    // The Func that a decision is about; invalid for those of the kind rfactor.
    FuncId func(size_t decision) const { return funcs_[decision]; }

    // What the list leads to with other values, of which none is of the kinds storage and rfactor.
    // May be called from any thread.
    Result<State> follow(const DecisionList &other) const;

private:
    Follower(const DecisionList &list, std::shared_ptr<const Dag> dag, ResolvedList resolved,
             const GpuModel &gpu, const RuleBook &rules, const StageKinds &kinds);

    void find_first_steps();
    void is_decided_at(const ResolvedList::Index &decision, FuncId func, size_t step);
    void is_about(const ResolvedList::Index &decision, FuncId func);
    size_t first_step_of(const DecisionList &other) const;
    Result<State> steps_from(size_t step, State state, const DecisionList &list,
                             std::vector<State> *way) const;

    const DecisionList list_;
    const std::shared_ptr<const Dag> dag_;
    const ResolvedList resolved_;
    const StageKinds kinds_;
    const SearchSpace space_;
    std::vector<State> way_;           // before each step, and after the last
    std::vector<size_t> first_steps_;  // at which a decision is looked at; by its number
    std::vector<FuncId> funcs_;        // by the number of a decision
    State end_;
};

}  // namespace autoschedule_gpu
