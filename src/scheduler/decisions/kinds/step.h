// What the kinds of decisions share: a list together with the space in which it is followed, and
// the complete state from which a list is made.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/decisions/decision_list.h"
#include "scheduler/decisions/names.h"
#include "scheduler/decisions/resolved_list.h"
#include "scheduler/space/space.h"
#include "scheduler/space/state.h"

namespace autoschedule_gpu {

// A complete state whose decisions are written down. All members must outlive it.
struct StepReader {
    const SearchSpace &space;
    const State &state;
    const Names &names;

    const Dag &dag() const { return space.dag(); }
    // The kernel that executes a stage.
    const KernelPtr &kernel_of(StageId stage) const {
        return state.nest.kernels[static_cast<size_t>(state.home[stage.index()])];
    }
};

// A list, resolved, and the space in which it is followed. All members must outlive it. The list
// must be the one that was resolved, or differ from it in values only.
struct ListedSteps {
    const SearchSpace &space;
    const ResolvedList &resolved;
    const DecisionList &list;

    const Dag &dag() const { return space.dag(); }
    // Returns the size that was decided, or `otherwise` if the list has none.
    int64_t size(const ResolvedList::Index &coordinate, int64_t otherwise) const {
        return coordinate ? std::get<int64_t>(list.decisions[*coordinate].value) : otherwise;
    }
    const std::string *text(const ResolvedList::Index &coordinate) const {
        return coordinate ? &std::get<std::string>(list.decisions[*coordinate].value) : nullptr;
    }
    // Returns "the rule hardware_threads rejects it: 1,152 threads per block, the device allows
    // 1,024".
    std::string text(const Rejection &rejection) const {
        const RuleInfo &rule = space.rules()[rejection.rule];
        return "the rule " + rule.name + " rejects it: " + why(rule, rejection.why);
    }
};

// Why a step cannot be made. `decision` is the index in the list of the coordinate that fails; none
// if the list lacks that coordinate.
struct RefusedStep {
    std::optional<size_t> decision;
    std::string why;
};

inline Error refusal(const DecisionList &list, const RefusedStep &refused) {
    return refused.decision ? refusal(list, *refused.decision, refused.why) : Error{refused.why};
}

// Whether a text that was decided is one of those. Nothing was decided: it is.
inline bool is_one_of(const std::string *text, const std::vector<DecisionValue> &values) {
    return text == nullptr || std::ranges::any_of(values, [&](const DecisionValue &value) {
               return std::get<std::string>(value) == *text;
           });
}

// Returns sizes as values, in ascending order.
inline std::vector<DecisionValue> values_of(const std::set<int64_t> &sizes) {
    return {sizes.begin(), sizes.end()};
}

}  // namespace autoschedule_gpu
