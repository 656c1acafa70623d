// Options of the tools that compile and measure schedules one by one: on which device, how, and
// with what limits.
#pragma once

#include "common/application_options.h"
#include "lab/bench/trial_bench.h"
#include "lab/run/device.h"
#include "lab/workloads/sampler.h"

namespace autoschedule_gpu {

struct TrialOptions : ApplicationOptions {
    TrialOptions() { gpu = "auto"; }
    std::string device = "opencl", phases = "auto";
    int jobs = 0;
    double run_timeout_s = 60;
};

// Adds --gpu, --jobs, --phases, --compile-timeout, --run-timeout, --plugins, --apps-folder,
// --generators.
void add_trial_options(CLI::App &app, TrialOptions &options);

// Adds, of these, --compile-timeout, --run-timeout and --plugins, which a worker chooses for
// itself.
void add_limit_options(CLI::App &app, TrialOptions &options);

// Returns what --sampler and --weights (a file or nothing) name. Errors begin with the option at
// fault, as do those of the next one.
Result<Sampler> chosen_sampler(const std::string &sampler, const std::string &weights);
// Returns everything but the folder and the assembler.
Result<TrialBenchSettings> trial_bench_settings(const TrialOptions &options, const ToolPaths &paths,
                                                RunDevice device);

}  // namespace autoschedule_gpu
