// What the benchmarks of single functions are measured on: a pipeline of a given size, and states
// and edits of kernels as searches of it meet them.
#pragma once

#include <vector>

#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu::example {

// A kernel before and after a move. `before` is null where the move makes the kernel.
struct Edit {
    Decision decision;
    KernelPtr before, after;
};

// A state and the step that is to be decided in it.
struct Position {
    State state;
    Step step;
};

struct Subject {
    // `pyramids(stages)` on an A100, and some random walks of at most `kMostSteps` steps each, so
    // that how much they meet hardly depends on `stages`.
    static constexpr int kWalks = 4;
    static constexpr size_t kMostSteps = 60;
    explicit Subject(int stages);

    std::vector<Edit> edits_of(Place place) const;
    std::vector<KernelPtr> kernels() const;  // after each edit; equal ones occur once

    Search search;
    std::vector<Position> positions;
    std::vector<Edit> edits;
};

// A kernel for the last stage of `chain(members + 2)` with all others but the first in its block,
// one point per thread.
KernelPtr fused_chain(const Dag &chain);

}  // namespace autoschedule_gpu::example
