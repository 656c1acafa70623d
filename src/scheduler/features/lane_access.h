// One access of a stage as a warp makes it: how far apart its lanes are in memory.
#pragma once

#include "core/gpu/memory_access.h"
#include "scheduler/features/gather.h"
#include "scheduler/features/kernel_facts.h"

namespace autoschedule_gpu {

struct LaneAccess {
    WarpAccess warp;  // where data leads all lanes to the same
    Gather gather;    // what data decides
};

// Requires an access of global or shared memory.
LaneAccess lane_access(const KernelFacts &facts, const StageFacts &stage,
                       const AccessFacts &access);

// What the accesses of a stage ask of global memory, in one direction.
struct GlobalTraffic {
    double accesses = 0;    // of a thread
    double sectors = 0;     // of a block
    double wavefronts = 0;  // of a block
    double efficiency = 0;  // bytes used / bytes of the sectors
};
GlobalTraffic global_traffic(const KernelFacts &facts, const StageFacts &stage,
                             Direction direction, AccessMemo &memo);

}  // namespace autoschedule_gpu
