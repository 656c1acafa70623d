// What lowered code says of its launches by itself: for kernels that can't be counted, so that a
// device's limits can be checked as far as that.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/lowered/lowered.h"

namespace autoschedule_gpu {

// Threads are the most of any thread loop. 0: some loop's extent is no constant.
struct LaunchExtents {
    std::string kernel = {};  // Halide's name of the device function
    std::array<int64_t, 3> blocks = {1, 1, 1};
    std::array<int64_t, 3> threads = {1, 1, 1};
    // The most that a block has allocated at once; nothing where some size is no constant.
    std::optional<int64_t> shared_bytes = {};
};

// Returns those of the kernels, in the order of the code; none of code that is not well-formed.
std::vector<LaunchExtents> launch_extents(const lowered::Code &code);

}  // namespace autoschedule_gpu
