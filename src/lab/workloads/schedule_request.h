// A schedule to be tried, as what the plugin is told: its parameters, and the content of files that
// some of them name.
#pragma once

#include <string>

#include "lab/build/build_candidate.h"

namespace autoschedule_gpu {

struct ScheduleRequest {
    std::string schedule = {};  // as samples and records call it: "size=small seed=5"
    NamedValues scheduler_params = {};
    NamedValues files = {};  // parameter, content: {"trace", "{...}"} becomes trace=FILE
};

}  // namespace autoschedule_gpu
