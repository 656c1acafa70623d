// Which code puts signed bytes in order, of which LLVM may make wrong PTX (cuda_defects.h).
#pragma once

#include <Halide.h>

#include <cstddef>
#include <span>
#include <vector>

namespace autoschedule_gpu {

// Returns false only if no such Func can lead to such code. Funcs may be undefined.
bool has_signed_bytes(std::span<const Halide::Func> funcs);

// Returns the indices of the kernels of lowered code, in which these are still loops, that compare
// something that was made of signed bytes, ascending. It may be in a variable or an array by then:
// LLVM looks through both, and through casts, and makes comparisons of differences. What is
// clamped between constants only is none.
std::vector<size_t> kernels_that_order_signed_bytes(const Halide::Internal::Stmt &lowered);

}  // namespace autoschedule_gpu
