// In whose kernel a Func is computed.
#pragma once

#include <Halide.h>

#include <string>
#include <vector>

namespace autoschedule_gpu {

// Returns the name of the Func in whose loops, those of all its stages, a scheduled Func is
// computed: its own if it is at root, an output or inlined. `funcs`: all of the pipeline, some of
// which may be undefined. Loop levels can't be changed any more after that.
std::string home_kernel(const Halide::Func &func, const std::vector<Halide::Func> &funcs);

}  // namespace autoschedule_gpu
