// What limits a kernel, and what would relieve it, in words: from what the report says of it.
#pragma once

#include <string>

#include "compare/explain/explained.h"

namespace autoschedule_gpu {

// "It moves 102 MB to and from DRAM." Empty for a kernel of which no prediction is known.
std::string limiter_text(const ExplainedKernel &kernel);

// What would make the limiting resource less busy; it names buffers and limits of this kernel.
std::string relief_text(const Explained &schedule, const ExplainedKernel &kernel);

// "32 of 64 warps at once: registers (56 per thread) limit it to 2 blocks per SM."
std::string occupancy_text(const ExplainedKernel &kernel);

}  // namespace autoschedule_gpu
