// The form of the addresses in lowered code: their text as a sum, without the constant in it.
//
// Compilers see that two addresses are the same, or a constant apart, if they are sums of the same
// terms. They do not see it of (y + 1) * stride and y * stride + stride where the stride is known
// at run time only: of two rows that a thread computes, each loads all it needs of an image, while
// points of one row share what they load (read off the PTX and the machine code of stencils).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/lowered/lowered.h"

namespace autoschedule_gpu {

// Loads by the number of their expression, stores by that of their statement.
struct AddressForms {
    std::unordered_map<size_t, uint64_t> of_loads, of_stores;
};

// Returns the forms of all addresses in `kernels`: equal numbers for equal forms.
AddressForms address_forms(const lowered::Code &code,
                           const std::vector<lowered::StatementId> &kernels);

}  // namespace autoschedule_gpu
