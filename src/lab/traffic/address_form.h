// The form of the addresses in lowered code: their text as a sum, without the constant in it.
//
// Compilers see that two addresses are the same, or a constant apart, if they are sums of the same
// terms, and take factors out of sums of products: (y - z) * stride is y * stride - z * stride
// (read off the PTX of a greatest element and its place). They do not see it of (y + 1) * stride
// and y * stride + stride where the stride is known at run time only: of two rows that a thread
// computes, each loads all it needs of an image, while points of one row share what they load (read
// off the PTX and the machine code of stencils). Of what the kernel stores itself they do see it: a
// step of a scan that reads (y + 1) * stride - stride has what the one before has stored. But they
// take two rows, at y * stride and at y * stride + stride, for the same element if need be: a
// thread that adds to four rows in turn loads and stores in each step, and no load of a scan along
// y goes ahead of the store before (read off PTX and the machine code of sm_90).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/lowered/lowered.h"

namespace autoschedule_gpu {

// By the number of a load's expression and of a store's statement: equal numbers for equal forms.
struct AddressForms {
    std::unordered_map<size_t, uint64_t> loads, stores;
};

AddressForms address_forms(const lowered::Code &code,
                           const std::vector<lowered::StatementId> &kernels);

}  // namespace autoschedule_gpu
