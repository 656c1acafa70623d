// Round places along an axis that counts from zero.
#pragma once

#include <cstdint>
#include <vector>

namespace autoschedule_gpu {

// Returns 0 and its multiples of a step up to `last`, `most` or fewer after zero; the step is 1, 2
// or 5 times a power of ten. Neither may be less than one.
std::vector<int64_t> round_ticks(int64_t last, int64_t most);

}  // namespace autoschedule_gpu
