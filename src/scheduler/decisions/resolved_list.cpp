#include "scheduler/decisions/resolved_list.h"

#include <map>
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

Result<ResolvedList> ResolvedList::create(const DecisionList &list, const Dag &dag,
                                          const Names &names, const StageKinds &kinds,
                                          const std::function<bool(const Coordinate &)> &meant) {
    ResolvedList resolved(dag, kinds.size());
    std::map<std::pair<std::string, std::string_view>, Index *> slots;
    for (size_t i = 0; i < dag.funcs.size(); ++i) {
        if (dag.funcs[i].is_input()) continue;
        const std::string &name = names.func(FuncId(i));
        slots[{name, decision_kind::place}] = &resolved.places_[i];
        slots[{name, decision_kind::member_tile}] = &resolved.member_tiles_[i];
        slots[{name, decision_kind::storage}] = &resolved.storages_[i];
    }
    for (size_t s = 0; s < dag.stages.size(); ++s) {
        slots[{names.stage(StageId(s)), decision_kind::compute_with}] = &resolved.launches_[s];
        for (size_t k = 0; k < kinds.size(); ++k) {
            slots[{names.stage(StageId(s)), kinds[k]->name()}] = &resolved.of_stages_[k][s];
        }
        for (size_t l = 0; l < dag.stages[s].loops.size(); ++l) {
            const std::string name = names.loop(StageId(s), l);
            OfLoop &loop = resolved.loops_[s][l];
            slots[{name, decision_kind::reduction}] = &loop.reduction;
            slots[{name, decision_kind::rows}] = &loop.rows;
            slots[{name, decision_kind::serial}] = &loop.serial;
            slots[{name, decision_kind::threads}] = &loop.threads;
            slots[{name, decision_kind::sliding}] = &loop.sliding;
        }
    }
    for (size_t i = 0; i < list.decisions.size(); ++i) {
        const Coordinate &decision = list.decisions[i];
        if (decision.kind == decision_kind::rfactor) continue;  // the Dag says what came of it
        if (!meant(decision)) continue;
        const auto slot = slots.find({decision.name, decision.kind});
        if (slot == slots.end()) {
            return refusal(list, i, "the pipeline has nothing of that name to decide");
        }
        if (*slot->second) {
            return refusal(list, i,
                           "decision " + std::to_string(**slot->second + 1) + " has decided that");
        }
        *slot->second = i;
    }
    return resolved;
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
