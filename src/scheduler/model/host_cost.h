// What a stage costs that runs on the host, between kernels of the device. Guesses.
#pragma once

#include "scheduler/features/feature_list.h"

namespace autoschedule_gpu {

// Nanoseconds per point, and for a copy to the host and back.
inline constexpr double kHostPointNs = 2.0, kHostCopyNs = 20000;

// Nanoseconds of its computation, copies apart.
inline double host_compute_ns(const FeatureTable &table) {
    return kHostPointNs * table.stages.back().num_scalars;
}

}  // namespace autoschedule_gpu
