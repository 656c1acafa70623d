// The order in which an epoch visits the schedules: in chunks of one pipeline at one size, whose
// schedules are compared with each other, and several chunks per step of the optimiser.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/support/random.h"

namespace autoschedule_gpu {

// The most schedules in a chunk; all pairs of a chunk are compared. A larger pipeline is cut into
// other chunks, and so other pairs, in every epoch.
inline constexpr size_t kChunkSchedules = 32;

struct Chunk {
    size_t pipeline = 0;
    std::vector<size_t> schedules = {};
};
using Step = std::vector<Chunk>;

// Returns the steps of an epoch, which visit every schedule once; schedules[p] is the number of
// schedules of pipeline p. The chunks of a pipeline differ in size by one schedule at most. Every
// step but the last has at least `batch` schedules.
std::vector<Step> random_steps(std::span<const size_t> schedules, size_t batch, Random random);

}  // namespace autoschedule_gpu
