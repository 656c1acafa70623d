// Workloads without anything that runs.
#pragma once

#include <string>

#include "lab/workloads/workload.h"

namespace autoschedule_gpu {

inline Workload example_workload(const std::string &pipeline, const std::string &size = "small") {
    return {.pipeline = pipeline, .size = size, .generator = "g", .generator_name = pipeline};
}

}  // namespace autoschedule_gpu
