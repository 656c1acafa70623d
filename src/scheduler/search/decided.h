// What a complete state has decided, so that a search can decide the same again, step by step, but
// for the Funcs that are released. By Func, whatever kernels there are by then.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "scheduler/search/repeats.h"
#include "scheduler/space/space.h"

namespace autoschedule_gpu {

class Decided {
public:
    // Nothing: every step is free.
    Decided() = default;

    // All that `state` decided at the space's steps. The state may be of another space over the
    // same Dag.
    Decided(const SearchSpace &space, const State &state);

    void release(FuncId func) { of_[func.index()].reset(); }

    // The Func is released, but only to that place.
    void release_to(FuncId func, Place place);
    // What is computed in one kernel is decided to be in another, whose tiling becomes that.
    void move_members(StageId from, StageId to, const Tiling &tiling);
    // Each Func that is a counterpart is decided as `other` decided the one of which it is.
    void decide_as(const Decided &other, const Counterparts &counterparts);
    // Leaves of the moves of a free step only those to the place that its Func is released to.
    void keep_place(const Step &step, std::vector<Decision> &moves) const;
    bool has(FuncId func) const { return !of_.empty() && of_[func.index()].has_value(); }

    // The decision that was made at a step; nothing if the step is free, or if there is no such
    // decision in this state. The object must outlive it.
    std::optional<Decision> decision(const SearchSpace &space, const State &state,
                                     const Step &step) const;

    // How many Funcs are decided.
    int funcs() const;

private:
    struct OfFunc {
        Member member;
        std::vector<int64_t> serial;  // as of a Decision
        StageId kernel;               // inside a kernel: the stage at its root
    };
    std::optional<Decision> inside_kernel(const SearchSpace &space, const State &state,
                                          const Step &step, const OfFunc &decided) const;

    std::vector<std::optional<OfFunc>> of_;         // by FuncId
    std::vector<std::pair<FuncId, Place>> places_;  // of what is released to them
    std::vector<Tiling> tilings_;                   // by StageId
};

}  // namespace autoschedule_gpu
