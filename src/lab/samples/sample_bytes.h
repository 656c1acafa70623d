// Converts one sample to and from the payload of a record, and says whether it is one.
#pragma once

#include <string>
#include <string_view>

#include "core/support/error.h"
#include "lab/samples/sample.h"

namespace autoschedule_gpu {

// Returns an error for a sample that sample.h does not allow, as both of the following do.
Status check_sample(const Sample &sample);
Result<std::string> sample_payload(const Sample &sample);
// `counts` are those of the file (file_header.h).
Result<Sample> parse_sample(std::string_view payload, const FeatureCounts &counts);

}  // namespace autoschedule_gpu
