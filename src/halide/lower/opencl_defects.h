// What is wrong with some of the OpenCL C that Halide 21 makes.
#pragma once

#include <optional>
#include <string_view>

namespace autoschedule_gpu {

// Returns in words what is wrong with `source`, if it has one of two known defects:
//  - An atomic sum that never ends. Where its index is not written as it is read, Halide makes a
//    loop around compare-and-swap, and in shared memory that takes the address of another element.
//  - Vectors of unequal widths in one operation, which no compiler takes. Halide gives one name to
//    a constant that it needs at several widths.
std::optional<std::string_view> defect_of_opencl(std::string_view source);

// Returns true if a barrier stands under a condition in `source`. All threads of a block agree about
// the conditions that Halide puts there, so that devices have no trouble with it, but PoCL makes
// wrong code of some, or code that crashes: of a Func that only some of the schedules for several
// sizes compute, where Halide asks in the block whether it is used.
bool has_guarded_barrier(std::string_view source);

}  // namespace autoschedule_gpu
