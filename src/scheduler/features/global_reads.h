// What reads of global memory come to, for who puts several kernels together.
#pragma once

#include <span>

#include "core/dag/dag.h"
#include "core/gpu/gpu_model.h"
#include "scheduler/features/kernel_facts.h"

namespace autoschedule_gpu {

// Returns 32-byte sectors of a box in global memory, wherever it starts: dimensions whose steps
// leave no whole sector out make one run of bytes (a row, or a row of interleaved pixels), the
// others repeat it.
double distinct_sectors(const Func &func, std::span<const Interval> box, double sector);

// Whether what a launch reads of a Func comes from DRAM: it is an input, or too large to be still
// in the L2 cache.
bool is_read_from_dram(const GpuModel &gpu, const Func &func);

// Whether all that a kernel reads of its own Func it has stored itself, in an iteration before, as
// a scan does: the caches have that.
bool reads_back_what_it_stores(const KernelFacts &facts);

}  // namespace autoschedule_gpu
