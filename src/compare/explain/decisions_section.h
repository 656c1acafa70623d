// What was decided for a schedule, and for each decision the second choice and what it would cost.
#pragma once

#include <string>

#include "compare/explain/explained.h"

namespace autoschedule_gpu {

// Markup; without priced decisions, how to have them.
std::string decisions_section(const Explained &schedule);

}  // namespace autoschedule_gpu
