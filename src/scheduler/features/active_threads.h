// Which threads of a block take part in what a band of threads computes.
#pragma once

#include "scheduler/features/kernel_facts.h"

namespace autoschedule_gpu {

// Means over the iterations of a thread: where a band's threads go on in rounds until a tile is
// done, those of the last round may be few (a row of 66 points takes 64 threads two rounds, and two
// of them the second). The others step over what is guarded, which costs next to nothing where a
// whole warp does.
struct ActiveThreads {
    double threads = 1;
    double warps = 1;  // with at least one such thread
};

// Requires the regions of the block.
ActiveThreads active_threads(const KernelFacts &facts, const Band &threads);

}  // namespace autoschedule_gpu
