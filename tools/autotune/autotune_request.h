// Translates what the user of autotune asks for into what src/tune does. Errors name the option.
#pragma once

#include <vector>

#include "autotune/autotune_options.h"
#include "common/tool_paths.h"
#include "core/support/error.h"
#include "tune/run/tuning_run.h"

namespace autoschedule_gpu {

// Returns everything but the workload, the folder of its work, the assembler and the command.
Result<TuneRequest> request_of(const AutotuneOptions &options, const ToolPaths &paths);

// Returns the strategies that are made one after the other: a mode that is named, then the
// strategy.
Result<TuneStrategies> strategies_of(const AutotuneOptions &options);

// Returns the pipelines to tune on that device.
Result<std::vector<Workload>> workloads_of(const AutotuneOptions &options, const ToolPaths &paths,
                                           const Device &device);

}  // namespace autoschedule_gpu
