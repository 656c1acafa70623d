// Options of the tools that compile and measure schedules one by one: on which device, how, and
// with what limits.
#pragma once

#include "application_options.h"
#include "measure/device.h"
#include "trial/phases.h"
#include "trial/sampler.h"
#include "trial/trial_bench.h"

namespace autoschedule_gpu {

struct TrialOptions : ApplicationOptions {
    TrialOptions() { gpu = "auto"; }
    std::string device = "opencl", phases = "auto";
    int jobs = 0;
    double run_timeout_s = 60;
};

// --gpu, --jobs, --phases, --compile-timeout, --run-timeout, --plugins, --apps-folder,
// --generators.
void add_trial_options(CLI::App &app, TrialOptions &options);

// Of these --compile-timeout, --run-timeout and --plugins: what a worker settles for itself.
void add_limit_options(CLI::App &app, TrialOptions &options);

// Of --sampler and --weights, a file or nothing. Errors begin with the option at fault, as do those
// of the next two.
Result<Sampler> chosen_sampler(const std::string &sampler, const std::string &weights);
Result<Phases> chosen_phases(const TrialOptions &options, RunDevice device);
// All but the folder and the assembler.
Result<TrialBenchSettings> trial_bench_settings(const TrialOptions &options, const ToolPaths &paths,
                                                RunDevice device);

// The tool's command line, for whoever reads its results.
std::string command_text(const std::string &tool, int argc, char **argv);

}  // namespace autoschedule_gpu
