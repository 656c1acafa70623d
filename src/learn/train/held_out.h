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
// pipelines are left to train on, or that there are too few samples to judge by under a name: no
// two different times of one pipeline and size.
Result<std::vector<size_t>> held_out_positions(const Dataset &dataset,
                                               std::span<const std::string> names);

// The applications among the pipelines, each once.
struct Applications {
    std::vector<std::string> judged = {};          // names of those that a network can be judged by
    std::vector<std::string> why_not_judged = {};  // a sentence that names each of the others
};
Applications applications_of(const Dataset &dataset);

}  // namespace autoschedule_gpu
