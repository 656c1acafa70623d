// What the user of collect asks for.
#pragma once

#include <cstdint>
#include <string>

#include "common/trial_options.h"
#include "learn/collect/collect.h"

namespace autoschedule_gpu {

struct CollectOptions : TrialOptions {
    CollectOptions() { size = "reduced"; }
    std::string pipelines, sampler = "mixed", weights, work = "small";
    int samples = 0;
    uint64_t seed = 0;
};

void add_collect_options(CLI::App &app, CollectOptions &options);

// Returns everything but the assembler and the command. Errors begin with the option that is wrong.
Result<CollectSettings> settings_of(const CollectOptions &options, const ToolPaths &paths);

}  // namespace autoschedule_gpu
