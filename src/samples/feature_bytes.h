// Feature tables as bytes: the part that featurizations and sample files share. After the counts
// come the features in the order of their lists, as float32:
//
//     kernels: uint32 | per kernel: kernel features, stages: uint32 |
//     per stage: StageId: int32, stage features, algorithm features
#pragma once

#include <span>
#include <string>
#include <vector>

#include "features/feature_list.h"
#include "support/bytes.h"
#include "support/error.h"

namespace autoschedule_gpu {

#define X(name, unit, group, meaning) +1
inline constexpr size_t kKernelFeatureCount = 0 AUTOSCHEDULE_GPU_KERNEL_FEATURES(X);
inline constexpr size_t kStageFeatureCount = 0 AUTOSCHEDULE_GPU_STAGE_FEATURES(X);
inline constexpr size_t kAlgorithmFeatureCount = 0 AUTOSCHEDULE_GPU_ALGORITHM_FEATURES(X);
#undef X

// Of a kernel without its stages, and of each stage.
inline constexpr size_t kKernelBytes = kKernelFeatureCount * sizeof(float) + sizeof(uint32_t);
inline constexpr size_t kStageBytes =
    sizeof(int32_t) + (kStageFeatureCount + kAlgorithmFeatureCount) * sizeof(float);

// Errors name the kernel and the stage by position, and the feature.
Status append_tables(std::string &bytes, std::span<const FeatureTable> kernels);
Result<std::vector<FeatureTable>> take_tables(ByteReader &reader);

}  // namespace autoschedule_gpu
