// What the user of autotune asks for, as text of the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/trial_options.h"

namespace autoschedule_gpu {

struct AutotuneOptions : TrialOptions {
    AutotuneOptions() { size = "auto"; }
    std::string app, generator, generator_name;
    std::vector<std::string> params;
    std::string mode, strategy = "batch", budget, records = "autotune.records", trace;
    std::string sampler = "paper", weights;
    std::optional<int> batch;
    int iterations = 20, final_rounds = 9;
    double confidence = 0.95;
    std::string origin = "best";
    bool queue = false;
    std::optional<double> tolerance;
    std::optional<int64_t> integer_steps;
    std::vector<std::string> inputs;
    uint64_t seed = 0;
};

// Adds those of the options that say how runs are made, not of what, where to and for how long.
void add_tuning_options(CLI::App &app, AutotuneOptions &options);

void add_autotune_options(CLI::App &app, AutotuneOptions &options);

}  // namespace autoschedule_gpu
