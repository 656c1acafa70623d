#include "scheduler/decisions/resolved_list.h"

#include <string>
#include <utility>

namespace autoschedule_gpu {

ResolvedList::ResolvedList(const Dag &dag, size_t stage_kinds)
    : dag_(dag),
      places_(dag.funcs.size()),
      member_tiles_(dag.funcs.size()),
      storages_(dag.funcs.size()),
      launches_(dag.stages.size()),
      of_stages_(stage_kinds, std::vector<Index>(dag.stages.size())) {
    for (const Stage &stage : dag.stages) loops_.emplace_back(stage.loops.size());
}

ResolvedList::Slots ResolvedList::slots(const Names &names, const StageKinds &kinds) {
    Slots slots;
    for (size_t i = 0; i < dag_.funcs.size(); ++i) {
        if (dag_.funcs[i].is_input()) continue;
        const std::string &name = names.func(FuncId(i));
        slots[{name, decision_kind::place}] = &places_[i];
        slots[{name, decision_kind::member_tile}] = &member_tiles_[i];
        slots[{name, decision_kind::storage}] = &storages_[i];
    }
    for (size_t s = 0; s < dag_.stages.size(); ++s) {
        slots[{names.stage(StageId(s)), decision_kind::compute_with}] = &launches_[s];
        for (size_t k = 0; k < kinds.size(); ++k) {
            slots[{names.stage(StageId(s)), kinds[k]->name()}] = &of_stages_[k][s];
        }
        for (size_t l = 0; l < dag_.stages[s].loops.size(); ++l) {
            const std::string name = names.loop(StageId(s), l);
            OfLoop &loop = loops_[s][l];
            slots[{name, decision_kind::reduction}] = &loop.reduction;
            slots[{name, decision_kind::rows}] = &loop.rows;
            slots[{name, decision_kind::serial}] = &loop.serial;
            slots[{name, decision_kind::threads}] = &loop.threads;
            slots[{name, decision_kind::sliding}] = &loop.sliding;
        }
    }
    return slots;
}

Result<ResolvedList> ResolvedList::create(const DecisionList &list, const Dag &dag,
                                          const Names &names, const StageKinds &kinds) {
    ResolvedList resolved(dag, kinds.size());
    const Slots slots = resolved.slots(names, kinds);
    for (size_t i = 0; i < list.decisions.size(); ++i) {
        const Coordinate &decision = list.decisions[i];
        if (decision.kind == decision_kind::rfactor) continue;  // the Dag says what came of it
        const auto slot = slots.find({decision.name, decision.kind});
        if (slot == slots.end()) return refusal(list, i, kNothingOfThatName);
        if (*slot->second) {
            return refusal(list, i,
                           "decision " + std::to_string(**slot->second + 1) + " has decided that");
        }
        *slot->second = i;
    }
    return resolved;
}

std::vector<bool> ResolvedList::named(const DecisionList &list, const Dag &dag, const Names &names,
                                      const StageKinds &kinds) {
    ResolvedList resolved(dag, kinds.size());
    const Slots slots = resolved.slots(names, kinds);
    std::vector<bool> result;
    for (const Coordinate &decision : list.decisions) {
        result.push_back(decision.kind == decision_kind::rfactor ||
                         slots.contains({decision.name, decision.kind}));
    }
    return result;
}

ResolvedList::Index ResolvedList::first_of(StageId stage) const {
    Index first;
    for (const OfLoop &loop : loops_[stage.index()]) {
        for (const Index &index : loop.all()) {
            if (index && (!first || *index < *first)) first = index;
        }
    }
    return first ? first : place(dag_.stage(stage).func);
}

}  // namespace autoschedule_gpu
