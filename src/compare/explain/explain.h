// Shows the autoscheduler's JSON report (autoscheduler.report=FILE) to people: what was searched,
// what was ruled out and why, where the time went, and what every chosen kernel is predicted to
// cost.
#pragma once

#include <string>
#include <string_view>

#include "core/support/error.h"

namespace autoschedule_gpu {

// Returns tables for a terminal, and then the loop nest. Returns an error if the text is not such a
// report or lacks a field.
Result<std::string> explain_report(std::string_view json);

}  // namespace autoschedule_gpu
