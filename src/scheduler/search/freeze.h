// Freezing (Anderson 2021 §3.2): a pre-pass finds a schedule in which every Func is inlined or at
// root; what it decided for all but the log2(N) most expensive of the N Funcs stays as it is, and
// the search spends its time on the rest. By Func, whatever its position in the search.
#pragma once

#include "scheduler/search/decided.h"

namespace autoschedule_gpu {

// Pipelines with at least so many Funcs to decide on are frozen where the user leaves it to us.
inline constexpr size_t kFreezeFuncs = 128;

// `state` is a complete one in which nothing is fused. A kernel's cost is that of the Func at its
// root; what is inlined into an expensive kernel is free like its root.
Decided frozen_decisions(const SearchSpace &space, const State &state);

}  // namespace autoschedule_gpu
