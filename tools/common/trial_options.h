// Options of the tools that compile and measure schedules one by one: on which device, how, and
// with what limits.
#pragma once

#include "common/application_options.h"
#include "common/user_libraries.h"
#include "lab/bench/trial_bench.h"
#include "lab/run/device.h"
#include "lab/workloads/sampler.h"

namespace autoschedule_gpu {

struct TrialOptions : ApplicationOptions, LibraryOptions {
    TrialOptions() { gpu = "auto"; }
    std::string device = "opencl", phases = "auto";
    int jobs = 0;
    double run_timeout_s = 60;
};

// Adds --gpu, --jobs, --phases, --compile-timeout, --run-timeout, --plugins, --library, --executor,
// --apps-folder, --generators.
void add_trial_options(CLI::App &app, TrialOptions &options);

// Adds only those of the options above that a worker chooses for itself: --compile-timeout,
// --run-timeout, --plugins, --library and --executor.
void add_limit_options(CLI::App &app, TrialOptions &options);

// Returns what --sampler and --weights (a file, or empty) name. Errors of this function and the
// next begin with the option that is wrong.
Result<Sampler> chosen_sampler(const std::string &sampler, const std::string &weights);
// Returns everything but the folder and the assembler.
Result<TrialBenchSettings> trial_bench_settings(const TrialOptions &options, const ToolPaths &paths,
                                                RunDevice device);

}  // namespace autoschedule_gpu
