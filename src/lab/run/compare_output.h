// One output beside the reference's, element by element (tolerance.h has the rule).
#pragma once

#include <cstddef>
#include <string>

#include "lab/run/filter_argument.h"
#include "lab/run/run_report.h"
#include "lab/run/tolerance.h"

namespace autoschedule_gpu {

// Both memories are laid out as `argument` says, packed.
OutputDifference compare_output(const FilterArgument &argument, const std::byte *expected,
                                const std::byte *found, const Tolerance &tolerance);

// The limit for floats of that type, unless the tolerance sets one.
double relative_limit(ElementType type, const Tolerance &tolerance);

// A sentence on an output with wrong elements: how many, how far, where.
std::string describe(const OutputDifference &output);

}  // namespace autoschedule_gpu
