// The features of a launch that several kernels share (scheduler/nest/launch.h), from those of
// each.
//
// The stages are those of all kernels, one kernel after the other. The launch has the blocks of the
// largest grid and the threads of the largest block. What a stage of a kernel with fewer blocks
// does in each of those is spread over all.
#pragma once

#include <span>
#include <vector>

#include "core/gpu/gpu_model.h"
#include "scheduler/features/feature_list.h"
#include "scheduler/features/kernel_facts.h"

namespace autoschedule_gpu {

// What a kernel reads of a Func in global memory: over the whole grid, and in a block in the
// middle.
struct GlobalRead {
    FuncId func;
    std::vector<Interval> grid, block;
};

// A kernel of the launch.
struct LaunchPart {
    FeatureTable table;
    ThreadExtents block_size;
    std::vector<int64_t> blocks;  // by loop
    std::vector<GlobalRead> reads;
};

LaunchPart launch_part(const KernelFacts &facts, FeatureTable table);

// Requires at least one part, none on the host.
FeatureTable table_of_launch(const Dag &dag, const GpuModel &gpu, std::vector<LaunchPart> parts);

}  // namespace autoschedule_gpu
