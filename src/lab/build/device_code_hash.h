// The identity of compiled kernels. Code that runs on the host is not part of it.
#pragma once

#include <cstdint>
#include <string_view>

namespace autoschedule_gpu {

// Returns the hash of PTX or OpenCL C. Comment lines are ignored, because they name the machine
// that compiled the code.
uint64_t device_code_hash(std::string_view device_code);

}  // namespace autoschedule_gpu
