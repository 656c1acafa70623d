// Kernels that are the same up to the names of their Funcs, as those of a chain of equal stages or
// of the levels of a pyramid are. Halide makes the same code of them, so that a trial of one tells
// what it makes of all.
#pragma once

#include <Halide.h>

#include <cstddef>
#include <span>
#include <vector>

#include "halide/lower/part_of_pipeline.h"

namespace autoschedule_gpu {

// For each of the Funcs at root, the first whose kernels are as its own: what they compute, how
// that is scheduled, what they read and where it is stored agree. Its own position where there is
// none before. At the estimates, kernels that are alike may have different numbers of blocks.
// `funcs`: all by their numbers; one that is not among them is like no other.
std::vector<size_t> first_alike(const Halide::Pipeline &scheduled,
                                const std::vector<Halide::Func> &funcs,
                                std::span<const KeptRoot> roots);

}  // namespace autoschedule_gpu
