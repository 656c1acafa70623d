// A state of the search: a nest that is decided as far as some Func, and complete enough to have a
// cost at any time (what is undecided is read from global memory).
#pragma once

#include <vector>

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

struct State {
    Nest nest;
    std::vector<int32_t> home;         // by StageId: the kernel that executes it, -1: none (yet)
    std::vector<double> kernel_costs;  // nanoseconds, parallel to nest.kernels
    double cost = 0;
    uint64_t id = 0;  // nest.hash()
};

// A kernel of the parent that a move replaces, or (index == number of kernels so far) adds.
struct KernelChange {
    size_t index;
    KernelPtr kernel;
};

// What a move makes of a state, without copying the rest of it.
struct Successor {
    FuncId func;  // not valid: nothing changes
    Place place = Place::root;
    std::vector<KernelChange> changes;
};

// The id of the state after the move.
uint64_t id_after(const State &parent, const Successor &successor);

// The state after the move. `costs`: one per change, in nanoseconds.
State materialise(const Dag &dag, State parent, const Successor &successor,
                  const std::vector<double> &costs);

// The same with costs left open: they are not asked for on the way.
State with_open_costs(const Dag &dag, State parent, const Successor &successor);

// Kernels that evaluate some use of `func`, ascending.
std::vector<size_t> consumer_kernels(const Dag &dag, const State &state, FuncId func);

// Thread bands of `kernel` whose innermost loops use `func`, directly or through inlined Funcs.
std::vector<const Band *> consumer_bands(const Dag &dag, const Kernel &kernel, FuncId func);

// The loop that all of these are in; invalid if there is none.
BlockLoop common_loop(const std::vector<const Band *> &bands);

}  // namespace autoschedule_gpu
