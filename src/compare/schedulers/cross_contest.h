// Schedules made for one size and run at others, smaller ones among them: what happens to users
// whose images are not of the size that was estimated (Halide 2013, section 6 and figure 8).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compare/rows/cross_resolution.h"
#include "compare/schedulers/compare_schedulers.h"

namespace autoschedule_gpu {

// Called after each row with all rows so far.
using ReportCrossRows = std::function<void(const std::vector<CrossRow> &)>;

// For every application and contender: a schedule for each of `scheduled_for`, run at each of
// `run_at` and compared with the reference there. Of `settings`, `size`, `replay`, `record_path`,
// `jobs` and `repeats` do not count; the device must be one that runs. An application's rows are
// kept in the folder as compare_schedulers keeps them. An error where they could not be.
Result<std::vector<CrossRow>> hold_cross_contest(const ComparisonSettings &settings,
                                                 const Toolbox &tools,
                                                 const std::vector<std::string> &scheduled_for,
                                                 const std::vector<std::string> &run_at,
                                                 const ReportProgress &progress = {},
                                                 const ReportCrossRows &report_rows = {});

}  // namespace autoschedule_gpu
