// A schedule that is several, each for its sizes ("for_sizes", autoschedule_gpu/trace.h).
#pragma once

#include <vector>

#include "core/dag/dag.h"
#include "core/support/error.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

struct SizeSection {
    std::vector<api::LeastExtent> extents = {};  // of buffers; none: any
    size_t first = 0;                            // of its directives, in the whole, from 0
    Schedule schedule = {};
};

// One for a schedule without "for_sizes".
std::vector<SizeSection> split_by_sizes(const Schedule &schedule);

// The inverse, of several.
Schedule joined_sections(const std::vector<SizeSection> &sections, const Dag &dag);

// Whether sections are such as the pipeline can have: conditions name its buffers, the last has
// none, and all others have one. What is in them is for check_against (scheduler/schedule/trace.h).
Status check_sections(const Schedule &schedule, const Dag &dag);

// Whether a pipeline can have several schedules: nothing of it is scheduled by hand, which copies
// would not keep, nor async, its outputs are on the device or at least stages of Halide, and none
// reads another.
Status can_have_sections(const Dag &dag);

}  // namespace autoschedule_gpu
