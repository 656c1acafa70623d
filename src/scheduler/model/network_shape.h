// How many numbers go into the network (network.h), and how wide its layers are.
#pragma once

#include "scheduler/features/feature_list.h"
#include "scheduler/model/network_terms.h"

namespace autoschedule_gpu {

#define X(name, unit, group, meaning) +1
inline constexpr int kAlgorithmInputs = 0 AUTOSCHEDULE_GPU_ALGORITHM_FEATURES(X);
inline constexpr int kScheduleInputs =
    0 AUTOSCHEDULE_GPU_STAGE_FEATURES(X) AUTOSCHEDULE_GPU_KERNEL_FEATURES(X);
#undef X
inline constexpr int kInputs = kAlgorithmInputs + kScheduleInputs;

inline constexpr int kAlgorithmEmbedding = 8, kScheduleEmbedding = 24, kHidden = 32;
inline constexpr int kEmbedding = kAlgorithmEmbedding + kScheduleEmbedding;
inline constexpr int kOutputs = static_cast<int>(kCostTerms);

}  // namespace autoschedule_gpu
