// What the user of retrain_cost_model asks for.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/support/error.h"
#include "learn/train/retrain.h"

namespace autoschedule_gpu {

struct RetrainOptions {
    std::vector<std::string> samples;
    std::string init, out, report;
    std::string loss = "both", adapt, folds = "auto";
    std::vector<std::string> hold_out;
    size_t seeds = 5;
    TrainingSettings training;
    int threads = 0;
    bool force = false, leave_one_out = false;
};

void add_retrain_options(CLI::App &app, RetrainOptions &options);

// Returns everything but the initial weights. Errors begin with the option that is wrong.
Result<RetrainRequest> request_of(const RetrainOptions &options);

// Returns the command line reduced to what the weights depend on, so that equal weights are equal
// files.
std::string command_text(const RetrainOptions &options, const TrainingSettings &training);

}  // namespace autoschedule_gpu
