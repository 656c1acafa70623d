// The whole way from a Halide pipeline to its schedule:
//
//     read ─► search ─► directives ─► trial lowering ─┬─► apply
//                ▲                                    │
//                └── the next attempt ◄── refused ────┘
//
// Every error is a value; the plugin (plugin.cpp) turns it into a Halide user error.
#pragma once

#include <Halide.h>

#include <map>
#include <string>
#include <vector>

#include "core/support/error.h"

namespace autoschedule_gpu {

struct Autoscheduled {
    std::string schedule_source;  // the body of Halide's schedule header
    std::string featurization;  // of its kernels (lab/samples/featurization.h); empty: see warnings
    std::vector<std::string> warnings;  // what was assumed or not written; each is a sentence
    std::string narration;              // lines for standard error
};

// Schedules `pipeline` in place. It is changed only if everything before has succeeded. Writes the
// report, the trace and the decisions if `extra` names files for them.
Result<Autoscheduled> autoschedule(const Halide::Pipeline &pipeline, const Halide::Target &target,
                                   const std::map<std::string, std::string> &extra);

}  // namespace autoschedule_gpu
