// The form of the addresses in lowered code: their text as a sum, without the constant in it.
//
// Compilers see that two addresses are the same, or a constant apart, if they are sums of the same
// terms, and take factors out of sums of products: (y - z) * stride is y * stride - z * stride
// (read off the PTX of a greatest element and its place). They do not see it of (y + 1) * stride
// and y * stride + stride where the stride is known at run time only: of two rows that a thread
// computes, each loads all it needs of an image, while points of one row share what they load (read
// off the PTX and the machine code of stencils). Of what the kernel stores itself they do see it: a
// step of a scan has what the one before has stored.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/lowered/lowered.h"

namespace autoschedule_gpu {

// By the number of a load's expression: equal numbers for equal forms, 0 where the kernel stores to
// the buffer itself.
using AddressForms = std::unordered_map<size_t, uint64_t>;

AddressForms address_forms(const lowered::Code &code,
                           const std::vector<lowered::StatementId> &kernels);

}  // namespace autoschedule_gpu
