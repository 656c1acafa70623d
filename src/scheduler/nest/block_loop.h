// Loops between the blocks and the threads of a kernel: those of an update's
// reduction that run outside the update's threads, and in each iteration of
// which other Funcs may be computed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dag/dag.h"

namespace autoschedule_gpu {

// Which loops of the reduction. The others of it are loops of each thread, so
// that what all their iterations need is computed between two barriers, by more
// threads.
enum class Outside : uint8_t { all, outermost };

// Together one loop, as something is computed in the innermost of them only.
// Without an update there is none.
struct BlockLoop {
    StageId update;
    Outside outside = Outside::all;

    BlockLoop() = default;
    BlockLoop(StageId of, Outside which = Outside::all) : update(of), outside(which) {}

    bool valid() const { return update.valid(); }
    friend bool operator==(const BlockLoop &, const BlockLoop &) = default;
};

// Whether loop `i` of the update is one of those outside.
bool is_outside(const Dag &dag, BlockLoop loop, size_t i);

// Iterations of a loop; 1 if there is none.
int64_t loop_iterations(const Dag &dag, BlockLoop loop);

// Whether an update's reduction may run so: it is the only one of its Func,
// whose other stages have no loop of that name then, a condition leaves out
// whole iterations only, and it has a loop that stays inside if only the
// outermost is to be outside.
bool may_have_loop(const Dag &dag, BlockLoop loop);

}  // namespace autoschedule_gpu
