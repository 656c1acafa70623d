// Whether a nest at one size of a pipeline is the schedule that another was made for at another.
#pragma once

#include <cstdint>
#include <vector>

#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

// Whether both are the same, but for what is done only where rows are aligned or extents are
// multiples, as they may be at one size alone, and for how many blocks a grid holds; and whether
// kernels run in full tiles where Funcs have those extents, by number.
bool are_same_directives(const Schedule &made, const Schedule &here,
                         const std::vector<std::vector<int64_t>> &extents);

}  // namespace autoschedule_gpu
