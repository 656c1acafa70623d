// The features of one schedule as bytes: what a generator writes with `-e featurization`.
// The layout is in weights/README.md: a file header and one record.
//
//     schedule ─► FeatureTable per kernel ─► featurization_bytes ─► NAME.featurization
//
// Features are stored as float32, so what is read back is what was written, rounded to that.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"
#include "scheduler/features/feature_list.h"

namespace autoschedule_gpu {

// Returns an error if a feature is negative, not finite or too large for float32. The error names
// the kernel, the stage and the feature.
Result<std::string> featurization_bytes(std::span<const FeatureTable> kernels);

// Returns the tables. Refuses, with what was expected and what was found: bytes of another format,
// version or feature list, bytes that are cut short, damaged or go on after their end, and features
// that featurization_bytes would not write.
Result<std::vector<FeatureTable>> parse_featurization(std::string_view bytes);

}  // namespace autoschedule_gpu
