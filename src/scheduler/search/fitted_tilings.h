// Tilings of a kernel's root stage whose blocks fit its members: what these need around a tile
// makes blocks so wide that their rows straddle warps.
#pragma once

#include <cstdint>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// The kernel's own tiling with other tiles along one axis of its threads or several. None where no
// member needs more threads than the root stage has points in a tile. They may break rules.
std::vector<Tiling> fitted_tilings(const Dag &dag, const Kernel &kernel, int64_t warp_size);

}  // namespace autoschedule_gpu
