// The decisions of a list by what they decide.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/decisions/decision_list.h"
#include "scheduler/decisions/names.h"

namespace autoschedule_gpu {

inline constexpr const char *kNothingOfThatName = "the pipeline has nothing of that name to decide";

class ResolvedList {
public:
    using Index = std::optional<size_t>;  // in the list
    struct OfLoop {
        Index reduction, rows, serial, threads, sliding;

        std::array<Index, 5> all() const { return {reduction, rows, serial, threads, sliding}; }
    };

    // The Dag must outlive it. Errors: a decision for what the pipeline has not, or the same one
    // twice.
    static Result<ResolvedList> create(const DecisionList &list, const Dag &dag, const Names &names,
                                       const StageKinds &kinds);

    Index place(FuncId func) const { return places_[func.index()]; }
    Index member_tile(FuncId func) const { return member_tiles_[func.index()]; }
    Index storage(FuncId func) const { return storages_[func.index()]; }
    Index compute_with(StageId stage) const { return launches_[stage.index()]; }
    // The first of the loops of a stage; the place of its Func where there is none.
    Index first_of(StageId stage) const;
    // `kind`: its index in the kinds about single stages.
    Index of_stage(size_t kind, StageId stage) const { return of_stages_[kind][stage.index()]; }
    const OfLoop &loop(StageId stage, size_t loop) const { return loops_[stage.index()][loop]; }

    // For each decision of a list, whether the pipeline has something of that name to decide.
    static std::vector<bool> named(const DecisionList &list, const Dag &dag, const Names &names,
                                   const StageKinds &kinds);

private:
    // By name and kind.
    using Slots = std::map<std::pair<std::string, std::string_view>, Index *>;

    ResolvedList(const Dag &dag, size_t stage_kinds);
    Slots slots(const Names &names, const StageKinds &kinds);

    const Dag &dag_;
    std::vector<Index> places_, member_tiles_, storages_;  // by FuncId
    std::vector<Index> launches_;                          // by StageId
    std::vector<std::vector<OfLoop>> loops_;               // by StageId
    std::vector<std::vector<Index>> of_stages_;            // by kind and StageId
};

}  // namespace autoschedule_gpu
