// Reads GPU kernels out of lowered Halide code in which they are still loops, that is, before
// device code is generated. Pure functions.
#pragma once

#include <Halide.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "halide/lower/trial_lower.h"

namespace autoschedule_gpu {

struct KernelReport {
    // In the order of the code. A launch inside a host loop is listed once.
    std::vector<KernelLaunch> kernels;
    // What Halide 21 refuses (or fails on) only while it generates device code; a sentence each.
    std::vector<std::string> refused;
};

// 0, 1 or 2 for x, y or z of a GPU loop, by the name that Halide has given it at that point:
// "f.s0.y.yo.block_id_y", ".thread_id_x", and ".thread_id_x$2" in code that stands there twice.
std::optional<int> gpu_axis(std::string_view loop_name);

// `shared_element_bytes`: the least that an element takes in shared memory.
KernelReport read_kernels(const Halide::Internal::Stmt &stmt, int64_t shared_element_bytes = 1);

}  // namespace autoschedule_gpu
