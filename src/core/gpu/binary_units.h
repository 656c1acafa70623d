// Units of memory, in bytes.
#pragma once

#include <cstdint>

namespace autoschedule_gpu {

inline constexpr int64_t kKiB = 1024;
inline constexpr int64_t kMiB = 1024 * kKiB;
inline constexpr int64_t kGiB = 1024 * kMiB;

}  // namespace autoschedule_gpu
