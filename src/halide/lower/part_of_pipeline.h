// Some kernels of a scheduled pipeline, to be lowered without the others. Halide takes as long for
// a pipeline as for all its kernels, and a trial mostly differs from an earlier one in a few.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <span>
#include <vector>

#include "core/support/error.h"

namespace autoschedule_gpu {

// What is computed of a Func along a dimension at the estimates. `constant`: at all other sizes,
// too.
struct KeptDimension {
    int64_t min = 0, extent = 1;
    bool constant = false;
};

// A Func at root whose kernels are lowered.
struct KeptRoot {
    int func = -1;  // its number in the schedule
    std::vector<KeptDimension> dims;
    // That Halide is expected to take for its kernels; 0: nothing is known of that.
    double seconds = 0;
};

// Returns a pipeline of these Funcs at root and of what is computed in their kernels. All else at
// root that they read is replaced by something simple of the same types, and an output that only
// copies stands for those others who read them. `funcs`: all by their numbers. Neither must be of
// further use, because Funcs are changed. An Error if there is no Func of a number, or in Halide's
// own text.
Result<Halide::Pipeline> part_of_pipeline(const Halide::Pipeline &scheduled,
                                          const std::vector<Halide::Func> &funcs,
                                          std::span<const KeptRoot> kept);

}  // namespace autoschedule_gpu
