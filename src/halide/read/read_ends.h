// Which ends of what is asked of a buffer lie within it whatever size it has: there it is read at
// coordinates that are clamped to its own.
#pragma once

#include <Halide.h>

#include <string>
#include <vector>

#include "core/dag/region_program.h"
#include "halide/read/read_estimates.h"
#include "halide/read/read_stage.h"

namespace autoschedule_gpu::reading {

// The name of the buffer of which a Func holds all elements at their own coordinates, as that of an
// ImageParam does; empty for any other.
std::string buffer_of(const HI::Function &func);

// Sets RegionDimension::lo_within and hi_within of `dims` by `box`, which is asked of the buffer of
// that name, or of a Func that holds all of it. Both have as many dimensions as is known of the
// buffer.
void find_ends_within(const std::string &buffer, const std::vector<HI::Interval> &box,
                      const Estimates &estimates, std::vector<RegionDimension> &dims);

}  // namespace autoschedule_gpu::reading
