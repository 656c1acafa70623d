#include "scheduler/features/feature_list.h"

#include <stdexcept>

namespace autoschedule_gpu {
namespace {

template <typename Member, size_t size>
Member member_at(const Member (&members)[size], size_t index) {
    if (index >= size) throw std::out_of_range("there is no such feature");
    return members[index];
}

}  // namespace

std::span<const FeatureInfo> kernel_feature_list() {
    return api::kKernelFeatureList;
}
std::span<const FeatureInfo> stage_feature_list() {
    return api::kStageFeatureList;
}
std::span<const FeatureInfo> algorithm_feature_list() {
    return api::kAlgorithmFeatureList;
}

double kernel_feature(const KernelFeatures &features, size_t index) {
    return features.*member_at(api::kKernelFeatureMembers, index);
}
double stage_feature(const StageFeatures &features, size_t index) {
    return features.*member_at(api::kStageFeatureMembers, index);
}
double algorithm_feature(const AlgorithmFeatures &features, size_t index) {
    return features.*member_at(api::kAlgorithmFeatureMembers, index);
}

void set_kernel_feature(KernelFeatures &features, size_t index, double value) {
    features.*member_at(api::kKernelFeatureMembers, index) = value;
}
void set_stage_feature(StageFeatures &features, size_t index, double value) {
    features.*member_at(api::kStageFeatureMembers, index) = value;
}
void set_algorithm_feature(AlgorithmFeatures &features, size_t index, double value) {
    features.*member_at(api::kAlgorithmFeatureMembers, index) = value;
}

}  // namespace autoschedule_gpu
