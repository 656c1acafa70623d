// Converts one sample to and from the payload of a record.
#pragma once

#include <string>
#include <string_view>

#include "core/support/error.h"
#include "lab/samples/sample.h"

namespace autoschedule_gpu {

// Both return an error for a sample that sample.h does not allow.
Result<std::string> sample_payload(const Sample &sample);
Result<Sample> parse_sample(std::string_view payload);

}  // namespace autoschedule_gpu
