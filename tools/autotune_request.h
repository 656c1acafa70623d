// From what the user of autotune asks for to what src/tune does. Errors name the option.
#pragma once

#include <vector>

#include "autotune_options.h"
#include "support/error.h"
#include "tool_paths.h"
#include "tune/tuning_run.h"

namespace autoschedule_gpu {

// All but the subject, the folder of its work, the assembler and the command.
Result<TuneRequest> request_of(const AutotuneOptions &options, const ToolPaths &paths);

// The pipelines to tune on that device.
Result<std::vector<Subject>> subjects_of(const AutotuneOptions &options, const ToolPaths &paths,
                                         const Device &device);

}  // namespace autoschedule_gpu
