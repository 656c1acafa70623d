// What was decided for a schedule, and for each decision the second choice and what it would cost.
#pragma once

#include <string>

#include "compare/explain/explained.h"
#include "present/table.h"

namespace autoschedule_gpu {

// The decisions of which the second choice would cost most, the weightiest first; an empty table
// where other choices were not priced, or none would cost more.
Table weightiest_decisions(const Explained &schedule);

// Markup; without priced decisions, how to have them.
std::string decisions_section(const Explained &schedule);

}  // namespace autoschedule_gpu
