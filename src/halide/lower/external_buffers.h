// Images and outputs of a pipeline with their sizes at the estimates.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/lowered/lowered.h"
#include "halide/read/read_estimates.h"

namespace autoschedule_gpu::reading {

// A buffer that exists before the code runs.
struct ExternalBuffer {
    int64_t element_bytes = 4;
    int64_t alignment_bytes = 4;  // promised for its address
    std::vector<int64_t> mins;
    std::vector<lowered::Dimension> dims;
};

// By name. What has no estimate is a sentence in `missing`, and 0.
std::map<std::string, ExternalBuffer> external_buffers(const std::vector<HI::Function> &outputs,
                                                       const Estimates &estimates, Gaps &gaps);

// Returns a size of one of the buffers that lowered code asks of Halide's run-time buffer object,
// or 0 for where it is on the device: nowhere yet. Nothing for other calls.
std::optional<int64_t> buffer_size(const HI::Call &call,
                                   const std::map<std::string, ExternalBuffer> &buffers);

}  // namespace autoschedule_gpu::reading
