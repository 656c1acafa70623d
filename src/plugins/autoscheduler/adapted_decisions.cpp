#include "plugins/autoscheduler/adapted_decisions.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

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

// What a list can say that depends on how reductions are taken apart.
class Changeable {
public:
    Changeable(const VariantSource &source, const PipelineVariant &variant) {
        const Names names(source.as_read);
        for (const Factorable &reduction : source.reductions) {
            loops_.push_back(names.stage(reduction.stage) + ".");
            for (const Factoring &choice : reduction.choices) add_made(source, reduction, choice);
        }
        for (const auto &[number, func] : made_funcs(source.as_read, variant.factors)) {
            made_.insert(func.name);
            funcs_.insert(func.name);
        }
    }

    bool is_changeable(const Coordinate &decision) const {
        const bool is_of_loop = std::ranges::any_of(
            loops_, [&](const std::string &stage) { return decision.name.starts_with(stage); });
        return is_of_loop || names_any(decision.name, funcs_);
    }

    // Whether the list has a place for all that is made in this variant, and for nothing else.
    bool is_of_this(const DecisionList &list) const {
        std::set<std::string> placed;
        for (const Coordinate &decision : list.decisions) {
            if (decision.kind == decision_kind::place && funcs_.contains(decision.name)) {
                placed.insert(decision.name);
            }
        }
        return placed == made_;
    }

private:
    void add_made(const VariantSource &source, const Factorable &reduction,
                  const Factoring &choice) {
        if (choice.is_none()) return;
        const FactoredStage one{reduction.stage, choice};
        const Schedule factors = factor_directives(source.as_read, {&one, 1});
        for (const auto &[number, func] : made_funcs(source.as_read, factors)) {
            funcs_.insert(func.name);
        }
    }

    std::vector<std::string> loops_;  // what names of loops begin with
    std::set<std::string> made_;      // Funcs of this variant
    std::set<std::string> funcs_;     // and of others
};

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

// A decision about what the pipeline has neither in this variant nor as it was read is misspelt:
// it would be passed over in silence. Of the latter are wrappers for what is taken apart here.
Status check_names(const ScheduleTask &task, const PipelineVariant &variant,
                   const DecisionList &list, const Changeable &changeable) {
    const std::vector<bool> here = named(list, *variant.dag, task.kinds);
    std::vector<bool> as_read;
    for (size_t i = 0; i < list.decisions.size(); ++i) {
        if (here[i] || changeable.is_changeable(list.decisions[i])) continue;
        if (as_read.empty()) as_read = named(list, *task.variants.plain().dag, task.kinds);
        if (!as_read[i]) return refusal(list, i, kNothingOfThatName);
    }
    return Ok{};
}

}  // namespace

bool is_about(const ScheduleTask &task, const PipelineVariant &variant, const DecisionList &list) {
    return Changeable(task.variants, variant).is_of_this(list);
}

Result<DecisionList> quick_decisions(const ScheduleTask &task, const PipelineVariant &variant,
                                     Freedom freedom) {
    const RankingModels models(task.gpu, {.kind = ModelKind::roofline});
    const SearchSpace space(*variant.dag, task.gpu, task.rules, freedom);
    const State state =
        quick_search({space, models}, task.strategy, search_options_of(task.parameters)).best;
    return decisions_of_state(*variant.dag, state, task.gpu, task.rules, freedom,
                              task.as_read.hash(), task.kinds);
}

Result<Followed> follow_in_variant(const ScheduleTask &task, const PipelineVariant &variant,
                                   const DecisionList &list, const DecisionList &quick) {
    const auto follow_list = [&](const DecisionList &one) {
        return follow(one, *variant.dag, task.gpu, task.rules, task.kinds);
    };
    const Changeable changeable(task.variants, variant);
    if (const Status known = check_names(task, variant, list, changeable); !known) {
        return known.error();
    }
    Result<Followed> followed = follow_list(with_values_of(list, changeable, quick));
    return followed ? followed : follow_list(quick);
}

Result<Followed> follow_in_variant(const ScheduleTask &task, const PipelineVariant &variant,
                                   const DecisionList &list) {
    if (is_about(task, variant, list)) {
        return follow(list, *variant.dag, task.gpu, task.rules, task.kinds);
    }
    const Result<DecisionList> quick = quick_decisions(task, variant, list.freedom);
    if (!quick) return quick.error();
    return follow_in_variant(task, variant, list, *quick);
}

}  // namespace autoschedule_gpu
