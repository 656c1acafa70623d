// The identity of compiled kernels. It does not cover what runs on the host.
#pragma once

#include <cstdint>
#include <string_view>

namespace autoschedule_gpu {

// Returns the hash of PTX or OpenCL C. Lines that are comments do not count, for they name the
// machine that compiled.
uint64_t device_code_hash(std::string_view device_code);

}  // namespace autoschedule_gpu
