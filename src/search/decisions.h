// Where a complete state computes its Funcs and how it tiles them, so that a search can decide the
// same again, step by step, but for the Funcs that are released. By Func, whatever kernels there
// are by then.
#pragma once

#include <optional>
#include <vector>

#include "space/space.h"

namespace autoschedule_gpu {

class Decisions {
public:
    // None: every step is free.
    Decisions() = default;

    // All that `state` decided at the space's steps. The state may be of another space over the
    // same Dag.
    Decisions(const SearchSpace &space, const State &state);

    void release(FuncId func) { of_[func.index()].reset(); }
    bool has(FuncId func) const { return !of_.empty() && of_[func.index()].has_value(); }

    // The move that was decided for a step; nothing if the step is free, or if there is no such
    // move in this state. The Decisions must outlive it.
    std::optional<Move> move(const SearchSpace &space, const State &state, const Step &step) const;

    // How many Funcs are decided.
    int funcs() const;

private:
    // Of a Func. Inside a kernel: the stages at whose root and in whose threads it is computed.
    struct Decision {
        Move::Kind kind = Move::Kind::compute_root;
        StageId kernel, site, loop;
        MemberTile tile = MemberTile::given;
        std::vector<int64_t> serial;
    };
    void read_members(const SearchSpace &space, const Kernel &kernel);
    std::optional<Move> fused_move(const SearchSpace &space, const State &state, const Step &step,
                                   const Decision &decision) const;

    std::vector<std::optional<Decision>> of_;  // by FuncId
    std::vector<Tiling> tilings_;              // by StageId
};

}  // namespace autoschedule_gpu
