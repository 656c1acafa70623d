// One application of a comparison (compare_schedulers.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compare/schedulers/compare_schedulers.h"

namespace autoschedule_gpu {

// One row per contender, in their order. `step` is called with the name of each step before it
// begins; as often as steps_per_application says, or less where contenders fail.
std::vector<ComparisonRow> hold_app_contest(const ComparisonSettings &settings,
                                            const Toolbox &tools, const Application &application,
                                            const std::function<void(const std::string &)> &step);

}  // namespace autoschedule_gpu
