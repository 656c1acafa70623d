// Reads what an ablation needs from the plugin's report (plugins/autoscheduler/report.h).
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

// Returns an error, with the field that is missing or of another kind, if the text is not a report
// of version 1.
Result<SearchRun> parse_search_report(std::string_view json);

}  // namespace autoschedule_gpu
