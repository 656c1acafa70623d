// Blocks that fit their members: of a Func in the block each thread of the root stage has as many
// points as it takes for these threads to compute all of it (MemberTile::fitted), and the tile is
// narrower than the threads by the border that the Func needs, so that along x they are whole
// warps. Of 64 threads with two points each, 62 write a row of 124 points, and all compute the 128
// that a stencil of five points reads.
//
// Pure functions; safe from any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// Points per thread, by dimension, of a Func in the block, of which there are `extents`. Empty if
// its loops would be other threads than the root stage's: then it is not fitted to them.
std::vector<int64_t> fitted_serial(const Dag &dag, const Kernel &kernel, FuncId func,
                                   std::span<const int64_t> extents, int64_t warp_size);

// A member whose tile is fitted, with the points that a block needs of it.
struct FittedMember {
    FuncId func;
    std::span<const int64_t> extents;
};

// The tiling of a stage at root, narrower by what the members need around it, along axes where that
// leaves less idle than one more point per thread of the members does. A tiling that is narrowed
// stays as it is.
Tiling narrowed(const Dag &dag, StageId root, Tiling tiling, std::span<const FittedMember> members,
                int64_t warp_size);

// The tiling before it was narrowed, if any member is fitted, else the kernel's own.
Tiling widened(const Dag &dag, const Kernel &kernel, int64_t warp_size);

}  // namespace autoschedule_gpu
