// What is wrong with some of the PTX that Halide 21 makes.
#pragma once

#include <optional>
#include <string_view>

namespace autoschedule_gpu {

// Returns in words what is wrong with `ptx`, if it has a known defect: two signed bytes are put in
// order without their signs, so that -1 is more than 1. LLVM does so where it has merged four bytes
// that lie side by side, and takes each out of their word for the comparison.
std::optional<std::string_view> defect_of_ptx(std::string_view ptx);

}  // namespace autoschedule_gpu
