// Finds what users have scheduled themselves, because such schedules are never overwritten.
#pragma once

#include <Halide.h>

#include <map>
#include <string>
#include <vector>

#include "halide/read/read_stage.h"

namespace autoschedule_gpu::reading {

// Returns a sentence about the first scheduled Func in `order`, "f is already scheduled (update 0:
// loops are split; compute_root)"; empty if there is none. Some calls are respected, and are
// therefore not reported: estimates, bound, bound_extent, align_bounds, reorder_storage,
// align_storage, bound_storage; and compute_root of outputs, which are computed there anyway, and
// of Funcs that stay on the host (extern, memoized, async), which need it.
//
// The answer is read from the schedules themselves, not from Halide's mark that somebody has
// touched them.
std::string user_schedule(const std::vector<HI::Function> &outputs,
                          const std::map<std::string, HI::Function> &env,
                          const std::vector<std::string> &order);

}  // namespace autoschedule_gpu::reading
