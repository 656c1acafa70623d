// What would make Halide abort, or mean nothing, is found before it sees a directive.
#pragma once

#include <Halide.h>

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "halide/apply/numbered_funcs.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

// The schedules that stages have for aligned rows, by the number of the Func and the stage.
using AlignedBranches = std::map<std::pair<int, int>, Halide::Internal::Definition>;

// Returns why the call cannot even be made; the rest is for Halide to judge. `schedule`: that of
// the directive. `funcs` and `aligned`: as the directives before it have left them.
std::optional<std::string> malformed(const Directive &directive, const Schedule &schedule,
                                     const NumberedFuncs &funcs, const AlignedBranches &aligned);

}  // namespace autoschedule_gpu
