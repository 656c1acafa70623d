// Groups of stages (Sioutas et al. 2020 §3): a Func at root and the Funcs that are computed in its
// kernels. What is built of one depends on no other group.
#pragma once

#include <optional>
#include <vector>

#include "scheduler/search/kernel_costs.h"
#include "scheduler/space/group_tiles.h"
#include "scheduler/space/space.h"

namespace autoschedule_gpu {

// Where the Funcs of all groups are computed, by FuncId: at root, in a group of its own; inline; or
// inside a kernel of the group that reads it. `block` is also in the loop that encloses all its
// readers there, if any.
using Places = std::vector<Place>;

struct Group {
    FuncId output;
    std::vector<GroupTile> tiles;  // one per stage of the output
    State state;                   // of this group alone: a kernel for each of these
};

// Builds groups; every function is pure and may be called from any thread.
class GroupBuilder {
public:
    // Must outlive the builder.
    explicit GroupBuilder(const SearchSpace &space);

    // Which Funcs are at root if nothing is fused, and which are inline.
    const Places &plain_sites() const { return plain_; }
    const GroupTiles &tiles() const { return tiles_; }
    // Whether the Func is decided at all: it is no input, and not inline in any case.
    bool is_decided(FuncId func) const;

    // The kernels of a Func at root and of all that `sites` computes in them. Costs are not filled
    // in. Nothing if a rule forbids it.
    std::optional<State> build(FuncId output, const std::vector<GroupTile> &tiles,
                               const Places &sites) const;

    // The same in the default tilings with nothing in the kernels but what must be inline there:
    // for where rules reject every tile, as where a pipeline has more points than a grid has blocks
    // for.
    std::optional<State> build_plainly(FuncId output) const;

private:
    std::vector<FuncId> inside(FuncId output, const Places &sites) const;
    std::optional<State> with_inside(FuncId output, State state, const Places &sites) const;
    std::optional<Decision> move_into(const State &state, FuncId func, Place site) const;

    std::vector<int64_t> serial_of_member(FuncId func) const;

    const SearchSpace &space_;
    GroupTiles tiles_;
    std::vector<std::vector<int64_t>> serials_;  // of members in a block, by FuncId
    State initial_;
    Places plain_;
    std::vector<bool> decided_;
};

}  // namespace autoschedule_gpu
