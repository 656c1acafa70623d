// Compares one output with the reference's, element by element, by the rule of tolerance.h.
#pragma once

#include <cstddef>
#include <string>

#include "lab/run/filter_argument.h"
#include "lab/run/run_report.h"
#include "lab/run/tolerance.h"

namespace autoschedule_gpu {

// Both memories are packed and laid out as `argument` says.
OutputDifference compare_output(const FilterArgument &argument, const std::byte *expected,
                                const std::byte *found, const Tolerance &tolerance);

// True if there are several elements, and all are the same.
bool is_constant(const FilterArgument &argument, const std::byte *memory);

// Returns the relative limit for floats of that type, unless the tolerance sets one.
double relative_limit(ElementType type, const Tolerance &tolerance);

// Returns a sentence about an output with wrong elements: how many, by how much, where.
std::string describe(const OutputDifference &output);

}  // namespace autoschedule_gpu
