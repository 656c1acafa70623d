// What Halide is told of a kernel, as a hash: how everything in it is computed, what is inlined
// into it, in which order in memory it finds what it reads, and what it shares its launch with.
// Kernels with equal keys are the same code, whatever is decided elsewhere. They may be those of
// different pipelines, if these differ in wrappers (scheduler/space/wrappers.h) and in what
// schedules choose (Func::stored_first) alone.
//
// Pure; safe from any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// One for each kernel of the nest, which must be complete and pass nest/check.
std::vector<uint64_t> kernel_keys(const Dag &dag, const Nest &nest);

}  // namespace autoschedule_gpu
