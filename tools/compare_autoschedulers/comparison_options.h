// What the user of compare_autoschedulers asks for.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "common/application_options.h"
#include "common/tool_paths.h"
#include "compare/schedulers/compare_schedulers.h"
#include "core/support/error.h"

namespace autoschedule_gpu {

struct ComparisonOptions : ApplicationOptions {
    ComparisonOptions() { repeats = 3; }
    std::string schedulers = "gpu,anderson2021,mullapudi2016,li2018,manual,root";
    std::string device = "none", record, notes, ptxas;
    std::string cross_for = "reduced,half,full", cross_at = "tiny,reduced,half,full";
    int jobs = 1;
    double run_timeout_s = 300;
    bool opencl_times = false, cross = false;
};

void add_comparison_options(CLI::App &app, ComparisonOptions &options);

// Returns everything but the command. Errors begin with the option that is wrong.
Result<ComparisonSettings> settings_of(const ComparisonOptions &options, const ToolPaths &paths);

// Returns why runs can't be appended to the file of --record, if so. To be asked before anything is
// measured: it would be lost.
Status check_record_file(const std::string &path);

}  // namespace autoschedule_gpu
