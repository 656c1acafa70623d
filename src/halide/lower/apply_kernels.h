// Reads GPU kernels out of lowered Halide code at the point where they are still loops, before
// device code is generated. All functions are pure.
#pragma once

#include <Halide.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "halide/lower/external_buffers.h"
#include "halide/lower/trial_lower.h"
#include "halide/read/read_estimates.h"
#include "halide/read/read_widest.h"

namespace autoschedule_gpu {

struct KernelReport {
    // Kernels in the order of the code. A launch inside a host loop is listed once.
    std::vector<KernelLaunch> kernels;
    std::vector<std::string> func_names;  // of each
    // One sentence for each thing that Halide 21 refuses, or fails on, only while it generates
    // device code.
    std::vector<std::string> refused;
};

// Returns 0, 1 or 2 for x, y or z of a GPU loop; nullopt for any other loop. The axis is read off
// the name that Halide has given the loop at that point: "f.s0.y.yo.block_id_y", ".thread_id_x",
// and ".thread_id_x$2" for a second copy of the code.
std::optional<int> gpu_axis(std::string_view loop_name);

// The sizes at which kernels are launched, as far as they are known.
struct EstimatedSizes {
    const reading::Estimates &estimates;
    const std::map<std::string, reading::ExternalBuffer> &buffers;
};

// Returns the kernels of `stmt`, a pipeline's. `shared_element_bytes` is the least room that an
// element takes in shared memory. Where a branch on the host can't be foretold by the estimates,
// both of its sides count as taken.
KernelReport read_kernels(const Halide::Internal::Stmt &stmt, const EstimatedSizes &sizes,
                          int64_t shared_element_bytes = 1);

}  // namespace autoschedule_gpu
