// What an ablation needs of the plugin's report (plugins/autoscheduler/report.h).
#pragma once

#include <string_view>
#include <vector>

#include "compare/ablation/row.h"
#include "core/support/error.h"

namespace autoschedule_gpu {

struct SearchRun {
    SearchFigures figures = {};
    std::vector<PhaseTime> phases = {};
    double seconds = 0;
};

// Refuses what is no report of version 1, with the field that is missing or of another kind.
Result<SearchRun> parse_search_report(std::string_view json);

}  // namespace autoschedule_gpu
