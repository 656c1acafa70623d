// From parameters to what a run needs: the device, the strategy, the model, the program that
// assembles code.
#pragma once

#include <Halide.h>

#include <string>

#include "core/extensions/extensions.h"
#include "core/gpu/gpu_model.h"
#include "core/gpu/resolve.h"
#include "core/support/error.h"
#include "plugins/parameters/parameters.h"
#include "scheduler/model/model_choice.h"
#include "scheduler/schedule/stage_kind.h"
#include "scheduler/search/options.h"
#include "scheduler/strategies/strategy.h"

namespace autoschedule_gpu {

// The device that the parameters name, or the target's, with the limits that the parameters set.
// An error if the target has no GPU API, or a limit is above the device's own.
Result<ResolvedGpu> gpu_of(const Parameters &parameters, const Halide::Target &target);

// What is loaded beside the plugin, if it fits (core/extensions/extensions.h).
Result<Extensions> loaded_extensions();

// What the extensions add to the values of parameters.
Result<AddedNames> added_names(const Extensions &extensions);

// The name of the strategy that is wanted; "auto" is resolved by the time that there is.
std::string strategy_of(const Parameters &parameters);

// What the strategy goes by of itself, unless the user wants another; `added`: models of libraries.
// Errors are those of choose_model.
Result<ModelChoice> model_of(const Parameters &parameters, const GpuModel &gpu,
                             const StrategyInfo &strategy,
                             std::span<const api::CostModelMaker> added);

// "auto", "off" or a file. A quick strategy leaves no time to compile code for a look at it.
std::string ptxas_of(const Parameters &parameters, const StrategyInfo &strategy);

// Those about single stages that are not switched off, with those of libraries.
StageKinds kinds_of(const Parameters &parameters, const GpuModel &gpu,
                    const Extensions &extensions);

SearchOptions search_options_of(const Parameters &parameters);

// What a search of that pipeline may take (scheduler/search/search_clock.h).
double most_effort(const Dag &dag, const Parameters &parameters);

}  // namespace autoschedule_gpu
