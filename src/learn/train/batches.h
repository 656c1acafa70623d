// In which order an epoch visits the schedules: in chunks of a pipeline, whose schedules are
// compared with each other, several chunks to a step of the optimiser.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/support/random.h"

namespace autoschedule_gpu {

// Schedules that are compared with each other, at most: all pairs of a chunk are. Larger pipelines
// meet their other pairs in other epochs.
inline constexpr size_t kChunkSchedules = 32;

struct Chunk {
    size_t pipeline = 0;
    std::vector<size_t> schedules = {};
};
using Step = std::vector<Chunk>;

// Every schedule once; `schedules` says how many each pipeline has. Chunks of a pipeline differ by
// one schedule at most. A step has at least `batch` schedules, but for the last one.
std::vector<Step> random_steps(std::span<const size_t> schedules, size_t batch, Random random);

}  // namespace autoschedule_gpu
