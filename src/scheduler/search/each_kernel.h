// What is done after the search to one kernel of a finished state after another.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "scheduler/search/search_parts.h"

namespace autoschedule_gpu {

// What gains less than this of a kernel's cost is not worth it: it takes memory or registers, makes
// code longer, or is only different.
inline constexpr double kLeastGain = 0.01;

// What takes less of the whole than this, kernels and Funcs that they read, is left alone.
inline constexpr double kLeastShare = 0.005;

// `state` with another kernel in the place of its `k`-th, of the same Funcs.
State with_kernel(SearchParts &parts, const State &state, size_t k, const KernelPtr &kernel);

// Of each of these in its place.
std::vector<State> with_each(SearchParts &parts, const State &state, size_t k,
                             std::span<const KernelPtr> others);

// With the cheapest of these in its place, if that gains enough.
State with_cheapest(SearchParts &parts, State state, size_t k, std::span<const KernelPtr> others);

// `improve` returns its state, or a better one.
using ImproveKernel = std::function<State(SearchParts &parts, State state, size_t k)>;

// Improves each kernel that takes a share of the whole that is worth it, while there is time.
State improve_kernels(SearchParts &parts, State state, const ImproveKernel &improve);

// The same as a part of the search of its own, which the report calls `name`.
State improve_kernels(const char *name, const SearchSpace &space, const CostModel &model,
                      SearchContext &context, State state, SearchReport &report,
                      const ImproveKernel &improve);

}  // namespace autoschedule_gpu
