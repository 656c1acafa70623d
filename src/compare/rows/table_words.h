// What the tables of a comparison share.
#pragma once

namespace autoschedule_gpu {

inline constexpr const char *kUnknown = "-";  // in the place of a figure
inline constexpr double kBytesPerMb = 1e6;

}  // namespace autoschedule_gpu
