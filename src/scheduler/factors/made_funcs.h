// What is known of the Funcs of partial results without asking Halide.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/dag/dag.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

struct MadeFunc {
    // "sum_by_32_lanes" has a part of "sum" per lane. Halide's own names have a counter, which
    // differs from one copy of the pipeline to the next.
    std::string name;
    std::map<std::string, int64_t> most;  // Dimension::most_extent, by the dimension's name
};

// By the numbers of the Funcs that `factors` makes of those of `dag`.
std::map<int, MadeFunc> made_funcs(const Dag &dag, const Schedule &factors);

}  // namespace autoschedule_gpu
