// What kernels that share a launch need of the device together. Each alone keeps to its limits by
// the rules (scheduler/rules/hardware_rules.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/gpu/gpu_model.h"
#include "scheduler/features/feature_list.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// Threads per block: one is as large as the largest in each dimension.
int64_t threads_together(std::span<const KernelPtr> launch);

// Why they are too large for one launch, as "they have 1536 threads per block, and the device
// allows 1024"; nothing if they are not. `table`: the features of the launch.
std::optional<std::string> why_too_large_together(const GpuModel &gpu,
                                                  std::span<const KernelPtr> launch,
                                                  const FeatureTable &table);

}  // namespace autoschedule_gpu
