// Kernels for outputs whose ends are multiples of a small number.
//
// Stages that treat even and odd points differently (the pixels of a Bayer pattern, the levels of a
// pyramid) ask of each point which it is. The last tile of an output is shifted to end where the
// output ends, so that Halide can't know it when it compiles, and threads compute both. Where the
// output begins and ends at multiples of the pattern's period, and tiles are of such a size, each
// of a thread's unrolled points is known to be one or the other. So a kernel has one schedule more
// for outputs of such extents. This goes beyond the papers.
#pragma once

#include <cstdint>
#include <vector>

#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// By dimension of the kernel's Func, the number of which the output's beginning and extent must be
// multiples; 0 where any will do. Empty if there is no such schedule: the Func is no output of
// shifted tiles, has vectors, or is estimated to have other extents; or its stages have no period
// of which tiles and a thread's unrolled points are multiples.
std::vector<int64_t> multiples(const Dag &dag, const Kernel &kernel);

// Whether the kernel could have such a schedule, be it switched off.
bool may_have_multiples(const Dag &dag, const Kernel &kernel);

}  // namespace autoschedule_gpu
