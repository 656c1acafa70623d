#include "scheduler/decisions/follower.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "core/dag/storage_order.h"
#include "scheduler/decisions/kinds/compute_with.h"
#include "scheduler/decisions/names.h"
#include "scheduler/decisions/walk.h"
#include "scheduler/space/wrappers.h"

namespace autoschedule_gpu {
namespace {

// The wrappers of single readers for which the list has a place.
std::set<WrappedRead> named_reads(const DecisionList &list, const Dag &dag) {
    std::set<std::string> named;
    for (const Coordinate &decision : list.decisions) {
        if (decision.kind == decision_kind::place) named.insert(decision.name);
    }
    const Names names(dag);
    std::set<WrappedRead> reads = wrappable_reads(dag);
    std::erase_if(reads, [&](const auto &read) { return !named.contains(names.wrapper(read)); });
    return reads;
}

// The Dag with the orders in memory that the list decides. A Func is named once, as is checked when
// the list is resolved.
Result<Dag> stored_as_listed(const DecisionList &list, Dag dag) {
    const Names names(dag);
    for (size_t i = 0; i < list.decisions.size(); ++i) {
        const Coordinate &decision = list.decisions[i];
        if (decision.kind != decision_kind::storage) continue;
        const std::optional<FuncId> func = names.find(decision.name);
        if (!func) continue;  // as well
        const std::string &wanted = std::get<std::string>(decision.value);
        const std::optional<int> dim = names.find_dimension(*func, wanted);
        if (!dim) return refusal(list, i, "the Func has no such dimension");
        if (!may_reorder_storage(dag, *func)) {
            return refusal(list, i, "its dimensions stay in memory as they are");
        }
        dag = with_innermost(std::move(dag), *func, *dim);
    }
    return dag;
}

}  // namespace

Dag with_listed_wrappers(const DecisionList &list, const Dag &dag) {
    return with_wrappers(dag, named_reads(list, dag));
}

Result<std::unique_ptr<const Follower>> Follower::create(const DecisionList &list, const Dag &base,
                                                         const GpuModel &gpu, const RuleBook &rules,
                                                         const StageKinds &kinds) {
    Result<Dag> stored = stored_as_listed(list, with_listed_wrappers(list, base));
    if (!stored) return stored.error();
    auto dag = std::make_shared<const Dag>(std::move(stored).value());
    Result<ResolvedList> resolved = ResolvedList::create(list, *dag, Names(*dag), kinds);
    if (!resolved) return resolved.error();
    std::unique_ptr<Follower> follower(
        new Follower(list, std::move(dag), std::move(resolved).value(), gpu, rules, kinds));
    follower->way_.push_back(follower->space_.initial());
    Result<State> end = follower->steps_from(0, follower->way_.front(), list, &follower->way_);
    if (!end) return end.error();
    follower->end_ = std::move(end).value();
    follower->find_first_steps();
    return std::unique_ptr<const Follower>(std::move(follower));
}

Follower::Follower(const DecisionList &list, std::shared_ptr<const Dag> dag, ResolvedList resolved,
                   const GpuModel &gpu, const RuleBook &rules, const StageKinds &kinds)
    : list_(list),
      dag_(std::move(dag)),
      resolved_(std::move(resolved)),
      kinds_(kinds),
      space_(SearchSpace(*dag_, gpu, rules, list.freedom)
                 .with_steps_of(single_reader_wrappers(*dag_))) {}

Result<State> Follower::follow(const DecisionList &other) const {
    const size_t first = first_step_of(other);
    return steps_from(first, way_[first], other, nullptr);
}

Result<State> Follower::steps_from(size_t step, State state, const DecisionList &list,
                                   std::vector<State> *way) const {
    const ListedSteps steps{space_, resolved_, list};
    for (; step < space_.steps().size(); ++step) {
        std::variant<State, RefusedStep> after =
            after_step(steps, std::move(state), space_.steps()[step]);
        if (const auto *refused = std::get_if<RefusedStep>(&after)) return refusal(list, *refused);
        state = std::get<State>(std::move(after));
        if (way != nullptr) way->push_back(state);
    }
    std::variant<State, RefusedStep> end = after_stage_kinds(steps, kinds_, std::move(state));
    if (const auto *refused = std::get_if<RefusedStep>(&end)) return refusal(list, *refused);
    end = after_launches(steps, std::get<State>(std::move(end)));
    if (const auto *refused = std::get_if<RefusedStep>(&end)) return refusal(list, *refused);
    return std::get<State>(std::move(end));
}

// What is decided about single stages and about launches is looked at behind the last step.
void Follower::find_first_steps() {
    const std::vector<Step> &steps = space_.steps();
    first_steps_.assign(list_.decisions.size(), steps.size());
    funcs_.assign(list_.decisions.size(), FuncId());
    for (size_t i = 0; i < steps.size(); ++i) {
        const FuncId func = steps[i].func;
        is_decided_at(resolved_.place(func), func, i);
        is_decided_at(resolved_.member_tile(func), func, i);
        for (const StageId stage : dag_->func(func).stages) {
            for (size_t l = 0; l < dag_->stage(stage).loops.size(); ++l) {
                for (const auto &size : resolved_.loop(stage, l).all()) {
                    is_decided_at(size, func, i);
                }
            }
        }
    }
    for (size_t s = 0; s < dag_->stages.size(); ++s) {
        const StageId stage(s);
        const FuncId func = dag_->stage(stage).func;
        is_about(resolved_.storage(func), func);
        is_about(resolved_.compute_with(stage), func);
        for (size_t k = 0; k < kinds_.size(); ++k) is_about(resolved_.of_stage(k, stage), func);
    }
}

void Follower::is_decided_at(const ResolvedList::Index &decision, FuncId func, size_t step) {
    if (!decision) return;
    first_steps_[*decision] = std::min(first_steps_[*decision], step);
    is_about(decision, func);
}

void Follower::is_about(const ResolvedList::Index &decision, FuncId func) {
    if (decision) funcs_[*decision] = func;
}

size_t Follower::first_step_of(const DecisionList &other) const {
    size_t first = space_.steps().size();
    for (size_t i = 0; i < list_.decisions.size(); ++i) {
        if (other.decisions[i].value != list_.decisions[i].value) {
            first = std::min(first, first_steps_[i]);
        }
    }
    return first;
}

}  // namespace autoschedule_gpu
