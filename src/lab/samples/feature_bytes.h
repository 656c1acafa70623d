// Feature tables as bytes: the part that featurizations and sample files share
// (autoschedule_gpu/sample.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "autoschedule_gpu/sample.h"
#include "core/support/bytes.h"
#include "core/support/error.h"
#include "scheduler/features/feature_list.h"

namespace autoschedule_gpu {

// Errors name the kernel and the stage by position, and the feature.
Status append_tables(std::string &bytes, std::span<const FeatureTable> kernels);
// Of tables that hold the first `counts` features of each list; the others are 0.
Result<std::vector<FeatureTable>> take_tables(ByteReader &reader, const FeatureCounts &counts);

}  // namespace autoschedule_gpu
