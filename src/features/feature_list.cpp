#include "features/feature_list.h"

#include <array>

namespace autoschedule_gpu {

namespace {

constexpr std::array kKernelInfo = {
#define X(name, unit, group, meaning) FeatureInfo{#name, unit, group, meaning},
    AUTOSCHEDULE_GPU_KERNEL_FEATURES(X)
#undef X
};

constexpr std::array kStageInfo = {
#define X(name, unit, group, meaning) FeatureInfo{#name, unit, group, meaning},
    AUTOSCHEDULE_GPU_STAGE_FEATURES(X)
#undef X
};

constexpr std::array kKernelMembers = {
#define X(name, unit, group, meaning) &KernelFeatures::name,
    AUTOSCHEDULE_GPU_KERNEL_FEATURES(X)
#undef X
};

constexpr std::array kStageMembers = {
#define X(name, unit, group, meaning) &StageFeatures::name,
    AUTOSCHEDULE_GPU_STAGE_FEATURES(X)
#undef X
};

}  // namespace

std::span<const FeatureInfo> kernel_feature_list() {
    return kKernelInfo;
}
std::span<const FeatureInfo> stage_feature_list() {
    return kStageInfo;
}

double kernel_feature(const KernelFeatures &features, size_t index) {
    return features.*kKernelMembers.at(index);
}

double stage_feature(const StageFeatures &features, size_t index) {
    return features.*kStageMembers.at(index);
}

}  // namespace autoschedule_gpu
