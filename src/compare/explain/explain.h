// The autoscheduler's JSON report (autoscheduler.report=FILE) for people: what was searched, what
// was ruled out and why, where the time went, and what every chosen kernel is predicted to cost.
#pragma once

#include <string>
#include <string_view>

#include "core/support/error.h"

namespace autoschedule_gpu {

// Tables for a terminal, then the loop nest. An error if the text is no such report, or lacks a
// field.
Result<std::string> explain_report(std::string_view json);

}  // namespace autoschedule_gpu
