// The origin of samples as JSON, with the whole GpuModel in it: the first record of a sample file.
#pragma once

#include <string>
#include <string_view>

#include "core/support/error.h"
#include "lab/samples/sample.h"

namespace autoschedule_gpu {

// The two are each other's inverse. Errors name the field that is missing or of another kind.
std::string to_json(const SampleOrigin &origin);
Result<SampleOrigin> parse_origin(std::string_view json);

// Returns an error unless samples of `added` may go into a file of samples of `known`: the device
// and every field of the GpuModel must be the same.
Status check_same_device(const SampleOrigin &known, const SampleOrigin &added);

}  // namespace autoschedule_gpu
