// One kernel on the page about a schedule: its loops, what limits it, its memory.
#pragma once

#include <string>

#include "compare/explain/explained.h"

namespace autoschedule_gpu {

// Markup, with the id that the graph links to (kernel_graph.h).
std::string kernel_section(const Explained &schedule, size_t index);

}  // namespace autoschedule_gpu
