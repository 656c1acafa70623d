// Comparison of two images, as the harness means it: integers exactly, floats within a tolerance.
#pragma once

#include <Halide.h>

#include <string>

namespace autoschedule_gpu::testing {

// Empty when `got` equals `expected`; else a sentence with the first differing position. A float
// may be off by 1e-4 of the expected value plus 1e-4 of the image's greatest magnitude.
std::string compare_buffers(const Halide::Buffer<> &got, const Halide::Buffer<> &expected);

}  // namespace autoschedule_gpu::testing
