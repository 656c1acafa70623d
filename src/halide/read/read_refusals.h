// Schedules that users have made themselves are never overwritten: they are found here.
#pragma once

#include <Halide.h>

#include <map>
#include <string>
#include <vector>

#include "halide/read/read_stage.h"

namespace autoschedule_gpu::reading {

// "f is already scheduled (update 0: loops are split; compute_root)": a sentence for the first
// such Func in `order`, empty when there is none. Respected and therefore not found: estimates,
// bound, bound_extent, align_bounds, reorder_storage, align_storage, bound_storage; compute_root
// of outputs, which are computed there anyway, and of Funcs that stay on the host (extern,
// memoized, async), which need it.
//
// What counts is what a schedule says, not Halide's mark that somebody has touched it.
std::string user_schedule(const std::vector<HI::Function> &outputs,
                          const std::map<std::string, HI::Function> &env,
                          const std::vector<std::string> &order);

}  // namespace autoschedule_gpu::reading
