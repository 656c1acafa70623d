#include "plugins/autoscheduler/adapted_decisions.h"

#include <algorithm>
#include <utility>

#include "plugins/autoscheduler/resolve_parameters.h"
#include "scheduler/decisions/decisions_of_state.h"
#include "scheduler/decisions/names.h"
#include "scheduler/decisions/resolved_list.h"
#include "scheduler/factors/factor_directives.h"
#include "scheduler/factors/made_funcs.h"
#include "scheduler/strategies/quick_search.h"

namespace autoschedule_gpu {
namespace {

// Whether a word of the decision's name is one of those: "sum_by_32_lanes.in(sum_by_4_parts)" has
// three.
bool names_any(const std::string &name, const std::set<std::string> &words) {
    const auto separates = [](char c) { return c == '.' || c == '(' || c == ')'; };
    for (auto begin = name.begin(); begin != name.end();) {
        const auto end = std::find_if(begin, name.end(), separates);
        if (words.contains(std::string(begin, end))) return true;
        begin = end == name.end() ? end : end + 1;
    }
    return false;
}

// Adds the Funcs that are made where that reduction is taken apart so.
void add_made(const VariantSource &source, const Factorable &reduction, const Factoring &choice,
              std::set<std::string> &funcs) {
    if (choice.is_none()) return;
    const FactoredStage one{reduction.stage, choice};
    const Schedule factors = factor_directives(source.as_read, {&one, 1});
    for (const auto &[number, func] : made_funcs(source.as_read, factors)) {
        funcs.insert(func.name);
    }
}

DecisionList with_values_of(const DecisionList &given, const Changeable &changeable,
                            DecisionList list) {
    for (Coordinate &decision : list.decisions) {
        if (changeable.is_changeable(decision)) continue;
        const auto same = std::ranges::find_if(given.decisions, [&](const Coordinate &other) {
            return other.name == decision.name && other.kind == decision.kind;
        });
        if (same != given.decisions.end()) decision.value = same->value;
    }
    return list;
}

}  // namespace

Changeable::Changeable(const VariantSource &source, const PipelineVariant &variant) {
    const Names names(source.as_read);
    for (const Factorable &reduction : source.reductions) {
        loops_.push_back(names.stage(reduction.stage) + ".");
        for (const Factoring &choice : reduction.choices) {
            add_made(source, reduction, choice, funcs_);
        }
    }
    for (const auto &[number, func] : made_funcs(source.as_read, variant.factors)) {
        made_.insert(func.name);
        funcs_.insert(func.name);
    }
}

bool Changeable::is_changeable(const Coordinate &decision) const {
    const bool is_of_loop = std::ranges::any_of(
        loops_, [&](const std::string &stage) { return decision.name.starts_with(stage); });
    return is_of_loop || names_any(decision.name, funcs_);
}

bool Changeable::is_of_this(const DecisionList &list) const {
    std::set<std::string> placed;
    for (const Coordinate &decision : list.decisions) {
        if (decision.kind == decision_kind::place && funcs_.contains(decision.name)) {
            placed.insert(decision.name);
        }
    }
    return placed == made_;
}

VariantFollower::VariantFollower(const ScheduleTask &task, PipelineVariant variant)
    : task_(task),
      variant_(std::move(variant)),
      plain_(task.variants.plain().dag),
      changeable_(task.variants, variant_) {}

// A decision about what the pipeline has neither in this variant nor as it was read is misspelt:
// it would be passed over in silence. Of the latter are wrappers for what is taken apart here.
Status VariantFollower::check_names(const DecisionList &list) const {
    const std::vector<bool> here = named(list, *variant_.dag, task_.kinds);
    std::vector<bool> as_read;
    for (size_t i = 0; i < list.decisions.size(); ++i) {
        if (here[i] || changeable_.is_changeable(list.decisions[i])) continue;
        if (as_read.empty()) as_read = named(list, *plain_, task_.kinds);
        if (!as_read[i]) return refusal(list, i, kNothingOfThatName);
    }
    return Ok{};
}

Result<DecisionList> VariantFollower::quick_decisions(Freedom freedom) const {
    const RankingModels models(task_.gpu, {.kind = ModelKind::roofline});
    const SearchSpace space(*variant_.dag, task_.gpu, task_.rules, freedom);
    const State state =
        quick_search({space, models}, task_.strategy, search_options_of(task_.parameters)).best;
    return decisions_of_state(*variant_.dag, state, task_.gpu, task_.rules, freedom,
                              task_.as_read.hash(), task_.kinds);
}

Result<Followed> VariantFollower::follow_as_it_is(const DecisionList &list) const {
    return autoschedule_gpu::follow(list, *variant_.dag, task_.gpu, task_.rules, task_.kinds);
}

Result<Followed> VariantFollower::follow_adapted(const DecisionList &list,
                                                 const DecisionList &quick) const {
    if (const Status known = check_names(list); !known) return known.error();
    Result<Followed> followed = follow_as_it_is(with_values_of(list, changeable_, quick));
    return followed ? followed : follow_as_it_is(quick);
}

Result<Followed> VariantFollower::follow(const DecisionList &list) const {
    if (is_about(list)) return follow_as_it_is(list);
    const Result<DecisionList> quick = quick_decisions(list.freedom);
    if (!quick) return quick.error();
    return follow_adapted(list, *quick);
}

}  // namespace autoschedule_gpu
