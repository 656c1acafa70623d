// The public list of features (autoschedule_gpu/feature_list.h) by position, for files and for
// models that treat all features alike. Each group of it is computed in a file of its own,
// GROUP_features.cpp.
#pragma once

#include <cstddef>
#include <span>

#include "autoschedule_gpu/feature_list.h"

namespace autoschedule_gpu {

using api::Added;
using api::AlgorithmFeatures;
using api::feature_schema_hash;
using api::FeatureCounts;
using api::FeatureInfo;
using api::FeatureTable;
using api::KernelFeatures;
using api::StageFeatures;

std::span<const FeatureInfo> kernel_feature_list();
std::span<const FeatureInfo> stage_feature_list();
std::span<const FeatureInfo> algorithm_feature_list();

// By position in the lists above; out of range throws std::out_of_range.
double kernel_feature(const KernelFeatures &features, size_t index);
double stage_feature(const StageFeatures &features, size_t index);
double algorithm_feature(const AlgorithmFeatures &features, size_t index);
void set_kernel_feature(KernelFeatures &features, size_t index, double value);
void set_stage_feature(StageFeatures &features, size_t index, double value);
void set_algorithm_feature(AlgorithmFeatures &features, size_t index, double value);

}  // namespace autoschedule_gpu
