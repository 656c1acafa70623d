// One application of a comparison (compare_schedulers.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compare/schedulers/compare_schedulers.h"

namespace autoschedule_gpu {

struct AppContestResult {
    std::vector<ComparisonRow> rows = {};  // one per contender, in their order
    // Why not all that was measured is in the settings' record, if so.
    std::optional<Error> unrecorded = {};
};

// `step` is called with the name of each step before it begins; as often as steps_per_application
// says, or less where contenders fail.
AppContestResult hold_app_contest(const ComparisonSettings &settings, const Toolbox &tools,
                                  const Application &application,
                                  const std::function<void(const std::string &)> &step);

}  // namespace autoschedule_gpu
