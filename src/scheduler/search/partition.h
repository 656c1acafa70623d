// The stages of a pipeline in groups, while greedy grouping (greedy_grouping.h) improves them:
// which Func is in which group, at what cost, and what another partition would cost.
#pragma once

#include <optional>
#include <vector>

#include "scheduler/search/greedy_grouping.h"
#include "scheduler/search/group.h"
#include "scheduler/search/search_context.h"
#include "scheduler/search/search_costs.h"

namespace autoschedule_gpu {

class Partition {
public:
    // All must outlive the partition. Every Func that is not inline in any case is a group, in the
    // best of its tiles, by the model for merging, or, where rules reject them all, in the default
    // tiling.
    Partition(const SearchSpace &space, const GroupingModels &models, SearchContext &context);

    const SearchSpace &space() const { return space_; }
    const GroupBuilder &builder() const { return builder_; }
    size_t funcs() const { return groups_.size(); }
    Place site(FuncId func) const { return sites_[func.index()]; }
    // Of that output; null for a Func that is in another group or inline.
    const Group *group(FuncId output) const {
        return groups_[output.index()] ? &*groups_[output.index()] : nullptr;
    }

    // ---- What is near a Func.

    // What reads a Func, directly or through what is between: Funcs inline or computed in the
    // groups of these outputs.
    struct Readers {
        std::vector<FuncId> outputs, between;
    };
    Readers readers(FuncId func) const;
    // Whether it is a group that could be inlined, or go into another.
    bool may_move(FuncId func) const;

    // ---- Groups as they would be.

    struct Placing {
        FuncId func;
        Place site;
    };
    Places sites_after(const std::vector<Placing> &moves) const;

    struct Candidate {
        std::vector<GroupTile> tiles;
        Places sites;
    };
    // At their costs; nothing where a rule forbids one.
    std::vector<std::optional<Group>> built(FuncId output,
                                            const std::vector<Candidate> &candidates);
    std::optional<Group> built(FuncId output, std::vector<GroupTile> tiles, Places sites);
    // With each kernel tiled as is best for it, of all tiles within the paper's bounds.
    std::optional<Group> tiled_best(FuncId output, const Places &sites);

    // ---- Changes.

    // The moved Funcs are no groups any more; `changed` are the groups that this changes.
    void take(const std::vector<Placing> &moves, std::vector<Group> changed);
    // Another tiling of the same group.
    void replace(Group group);
    // From here on costs are those of the model for tiling.
    void begin_tiling();

    bool time_is_up() { return clock_.is_up(); }

    // The complete state, at its cost by the model for tiling.
    SearchResult result();

private:
    void set_costs(std::vector<std::optional<Group>> &groups);
    // At its costs, where rules reject all of its tiles.
    std::optional<Group> plainly(FuncId output);

    const SearchSpace &space_;
    const Dag &dag_;
    SearchClock &clock_;
    PartThreads threads_;
    SearchCosts merging_, tiling_;
    SearchCosts *now_ = &merging_;
    const GroupBuilder builder_;
    Places sites_;
    std::vector<std::optional<Group>> groups_;  // by the FuncId of their outputs
    SearchReport report_;
    RunningPart part_{report_, "greedy_grouping", 0};
};

}  // namespace autoschedule_gpu
