// Subjects without anything that runs.
#pragma once

#include <string>

#include "trial/subject.h"

namespace autoschedule_gpu {

inline Subject example_subject(const std::string &pipeline, const std::string &size = "small") {
    return {.pipeline = pipeline, .size = size, .generator = "g", .generator_name = pipeline};
}

}  // namespace autoschedule_gpu
