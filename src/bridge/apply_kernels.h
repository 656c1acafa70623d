// Reads GPU kernels out of lowered Halide code in which they are still loops, that is, before
// device code is generated. Pure functions.
#pragma once

#include <Halide.h>

#include <string>
#include <vector>

#include "bridge/apply.h"

namespace autoschedule_gpu {

struct KernelReport {
    // In the order of the code. A launch inside a host loop is listed once.
    std::vector<KernelLaunch> kernels;
    // What Halide 21 refuses (or fails on) only while it generates device code; a sentence each.
    std::vector<std::string> refused;
};

KernelReport read_kernels(const Halide::Internal::Stmt &stmt);

}  // namespace autoschedule_gpu
