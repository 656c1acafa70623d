// What a thread is to keep in registers.
#pragma once

#include <cstdint>

namespace autoschedule_gpu {

// Most points of a serial tile: it is to be unrolled, and its accumulators are to stay in
// registers.
inline constexpr int64_t kMaxSerialPoints = 32;

}  // namespace autoschedule_gpu
