#include "features/feature_list.h"

#include <array>

#include "support/hash.h"

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

constexpr std::array kAlgorithmInfo = {
#define X(name, unit, group, meaning) FeatureInfo{#name, unit, group, meaning},
    AUTOSCHEDULE_GPU_ALGORITHM_FEATURES(X)
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

constexpr std::array kAlgorithmMembers = {
#define X(name, unit, group, meaning) &AlgorithmFeatures::name,
    AUTOSCHEDULE_GPU_ALGORITHM_FEATURES(X)
#undef X
};

}  // namespace

std::span<const FeatureInfo> kernel_feature_list() {
    return kKernelInfo;
}
std::span<const FeatureInfo> stage_feature_list() {
    return kStageInfo;
}
std::span<const FeatureInfo> algorithm_feature_list() {
    return kAlgorithmInfo;
}

double kernel_feature(const KernelFeatures &features, size_t index) {
    return features.*kKernelMembers.at(index);
}
double stage_feature(const StageFeatures &features, size_t index) {
    return features.*kStageMembers.at(index);
}
double algorithm_feature(const AlgorithmFeatures &features, size_t index) {
    return features.*kAlgorithmMembers.at(index);
}

void set_kernel_feature(KernelFeatures &features, size_t index, double value) {
    features.*kKernelMembers.at(index) = value;
}
void set_stage_feature(StageFeatures &features, size_t index, double value) {
    features.*kStageMembers.at(index) = value;
}
void set_algorithm_feature(AlgorithmFeatures &features, size_t index, double value) {
    features.*kAlgorithmMembers.at(index) = value;
}

uint64_t feature_schema_hash() {
    static const uint64_t hash = [] {
        Hasher hasher;
        for (const auto list :
             {kernel_feature_list(), stage_feature_list(), algorithm_feature_list()}) {
            hasher.add(list.size());
            for (const FeatureInfo &info : list) {
                hasher.add(info.name).add(info.unit);
            }
        }
        return hasher.value();
    }();
    return hash;
}

}  // namespace autoschedule_gpu
