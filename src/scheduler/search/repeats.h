// What a pipeline does again and again: stencils in a chain, layers of a network. A search that
// decides Func by Func finds a good kernel in some of the places where the same is computed, and
// others elsewhere; here the kernels that there are compete for each place.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "scheduler/space/state.h"

namespace autoschedule_gpu {

// Which Func, somewhere in the pipeline, is to be computed as which other one is elsewhere.
class Counterparts {
public:
    explicit Counterparts(const Dag &dag) : dag_(&dag) {}

    void add(FuncId from, FuncId to) { of_[from] = to; }
    // Invalid for a Func or stage that has none.
    FuncId func(FuncId from) const;
    StageId stage(StageId from) const;
    const std::map<FuncId, FuncId> &funcs() const { return of_; }
    std::vector<std::pair<StageId, StageId>> stages() const;

private:
    const Dag *dag_;
    std::map<FuncId, FuncId> of_;
};

// One for each Func at root whose kernels are to be as another's, such that the whole costs least
// as far as is known: that a kernel costs elsewhere what it costs where it is, for as many points.
// Empty where nothing would change.
std::vector<Counterparts> repeats(const Dag &dag, const State &state);

}  // namespace autoschedule_gpu
