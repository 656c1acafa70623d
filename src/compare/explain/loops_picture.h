// The loops of a kernel as boxes inside each other: blocks around threads around what a thread
// does; what lies in which memory has its colour.
#pragma once

#include <string>

#include "compare/explain/explained.h"

namespace autoschedule_gpu {

// Markup.
std::string loops_picture(const ExplainedLoops &kernel);

// What the colours mean.
std::string loops_legend();

}  // namespace autoschedule_gpu
