// The decisions of a list by what they decide.
#pragma once

#include <optional>
#include <vector>

#include "dag/dag.h"
#include "decisions/decision_list.h"
#include "decisions/names.h"

namespace autoschedule_gpu {

class ResolvedList {
public:
    using Index = std::optional<size_t>;  // in the list
    struct OfLoop {
        Index reduction, serial, threads;
    };

    // The Dag must outlive it. Errors: a decision for what the pipeline has not, or the same one
    // twice.
    static Result<ResolvedList> create(const DecisionList &list, const Dag &dag,
                                       const Names &names);

    Index place(FuncId func) const { return places_[func.index()]; }
    Index member_tile(FuncId func) const { return member_tiles_[func.index()]; }
    // The first of the loops of a stage; the place of its Func where there is none.
    Index first_of(StageId stage) const;
    Index unroll(StageId stage) const { return unrolls_[stage.index()]; }
    const OfLoop &loop(StageId stage, size_t loop) const { return loops_[stage.index()][loop]; }

private:
    explicit ResolvedList(const Dag &dag);

    const Dag &dag_;
    std::vector<Index> places_, member_tiles_;  // by FuncId
    std::vector<std::vector<OfLoop>> loops_;    // by StageId
    std::vector<Index> unrolls_;                // likewise
};

}  // namespace autoschedule_gpu
