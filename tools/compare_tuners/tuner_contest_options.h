// What the user of compare_tuners asks for.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "autotune/autotune_options.h"
#include "common/tool_paths.h"
#include "core/support/error.h"
#include "tune/contest/contest.h"

namespace autoschedule_gpu {

struct TunerContestOptions {
    TunerContestOptions() { each.iterations = kManyRounds; }

    // Strategies go on until the budget ends them.
    static constexpr int kManyRounds = 10'000;

    AutotuneOptions each;  // of a run
    std::string strategies =
        "one-shot,top5,autotune,random,grid,annealing,evolutionary,genetic,"
        "coordinate_descent";
    std::string seeds = "1,2,3";
    bool fresh = false, show = false;
};

void add_tuner_contest_options(CLI::App &app, TunerContestOptions &options);

// Returns everything but the command and the assembler. Errors begin with the option that is wrong.
Result<ContestSettings> contest_settings_of(const TunerContestOptions &options,
                                            const ToolPaths &paths);

}  // namespace autoschedule_gpu
