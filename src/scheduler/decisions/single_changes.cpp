#include "scheduler/decisions/single_changes.h"

namespace autoschedule_gpu {

std::vector<SingleChange> single_changes(const DecisionList &list) {
    std::vector<SingleChange> changes;
    for (size_t i = 0; i < list.decisions.size(); ++i) {
        const Coordinate &decision = list.decisions[i];
        if (decision.kind == decision_kind::rfactor) continue;
        for (const DecisionValue &value : decision.choices) {
            if (value != decision.value) changes.push_back({i, value});
        }
    }
    return changes;
}

DecisionList changed(DecisionList list, const SingleChange &change) {
    list.decisions[change.decision].value = change.value;
    return list;
}

}  // namespace autoschedule_gpu
