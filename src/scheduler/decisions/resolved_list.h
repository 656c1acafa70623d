// The decisions of a list by what they decide.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/decisions/decision_list.h"
#include "scheduler/decisions/names.h"

namespace autoschedule_gpu {

class ResolvedList {
public:
    using Index = std::optional<size_t>;  // in the list
    struct OfLoop {
        Index reduction, rows, serial, threads, sliding;

        std::array<Index, 5> all() const { return {reduction, rows, serial, threads, sliding}; }
    };

    // The Dag must outlive it. Of the list only what is `meant` is looked at. Errors: a decision
    // for what the pipeline has not, or the same one twice.
    static Result<ResolvedList> create(
        const DecisionList &list, const Dag &dag, const Names &names, const StageKinds &kinds,
        const std::function<bool(const Coordinate &)> &meant = [](const Coordinate &) {
            return true;
        });

    Index place(FuncId func) const { return places_[func.index()]; }
    Index member_tile(FuncId func) const { return member_tiles_[func.index()]; }
    Index storage(FuncId func) const { return storages_[func.index()]; }
    Index compute_with(StageId stage) const { return launches_[stage.index()]; }
    // The first of the loops of a stage; the place of its Func where there is none.
    Index first_of(StageId stage) const;
    // `kind`: its index in the kinds about single stages.
    Index of_stage(size_t kind, StageId stage) const { return of_stages_[kind][stage.index()]; }
    const OfLoop &loop(StageId stage, size_t loop) const { return loops_[stage.index()][loop]; }

private:
    ResolvedList(const Dag &dag, size_t stage_kinds);

    const Dag &dag_;
    std::vector<Index> places_, member_tiles_, storages_;  // by FuncId
    std::vector<Index> launches_;                          // by StageId
    std::vector<std::vector<OfLoop>> loops_;               // by StageId
    std::vector<std::vector<Index>> of_stages_;            // by kind and StageId
};

}  // namespace autoschedule_gpu
