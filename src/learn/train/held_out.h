// Names what no training may see: pipelines that are held out by the user's wish, so that a network
// is judged on those that it is meant to be judged on.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"
#include "learn/train/dataset.h"

namespace autoschedule_gpu {

// Names of applications begin so (lab/workloads/workload.h).
inline constexpr std::string_view kApplicationPrefix = "app:";

// Returns the positions of the pipelines at all of their sizes, in their order and each once. A
// name that ends in '*' stands for all that begin as it does: "app:*" is every application. An
// error names what is not among the samples and what there is instead, says that fewer than two
// pipelines are left to train on, or names a pipeline that has too few samples to be judged by: no
// two different times.
Result<std::vector<size_t>> held_out_positions(const Dataset &dataset,
                                               std::span<const std::string> names);

// Returns the names of the applications among the pipelines, each once.
std::vector<std::string> applications_of(const Dataset &dataset);

}  // namespace autoschedule_gpu
