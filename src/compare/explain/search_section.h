// What the search did, on the page about a schedule.
#pragma once

#include <string>

#include "compare/explain/explained.h"

namespace autoschedule_gpu {

std::string search_section(const Explained &schedule);

// The kernels as Halide lowered them, and what the assembler made of them.
std::string code_section(const Explained &schedule);

}  // namespace autoschedule_gpu
