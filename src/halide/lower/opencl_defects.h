// What is wrong with some of the OpenCL C that Halide 21 makes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace autoschedule_gpu {

// Returns in words what is wrong with `source`, if it has one of two known defects:
//  - An atomic sum that never ends. Where its index is not written as it is read, Halide makes a
//    loop around compare-and-swap, and in shared memory that takes the address of another element.
//  - Vectors of unequal widths in one operation, which no compiler takes. Halide gives one name to
//    a constant that it needs at several widths.
std::optional<std::string_view> defect_of_opencl(std::string_view source);

// Conditions around barriers. All threads of a block agree about those that Halide puts there, so
// that devices have no trouble with them, but PoCL makes wrong code of some, or code that crashes.
//
//     outside_loops  whether what the block reads is needed at all (of row sums: where rows may be
//                    empty; in blocks beyond the last part of a reduction)
//     any            in loops, too (for all but the first step of a walk): PoCL is known to make
//                    wrong code of these only in kernels of schedules for several sizes
enum class BarrierGuards : uint8_t { outside_loops, any };

// Returns true if a barrier stands under such a condition in `source`.
bool has_guarded_barrier(std::string_view source, BarrierGuards which);

}  // namespace autoschedule_gpu
