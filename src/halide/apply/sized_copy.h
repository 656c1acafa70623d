// Several schedules of one pipeline, each for its sizes.
//
//     pipeline ─► copy, with Funcs of its own ─► its schedule ─┐
//        │                                                     ▼
//        └──────► a schedule of its own      outputs have a specialisation, computed as in the copy
//
// Halide computes at run time only what the branch that is taken needs ("skip stages").
#pragma once

#include <Halide.h>

#include <string>
#include <vector>

namespace autoschedule_gpu {

struct SizedCopy {
    std::vector<Halide::Func> funcs;  // by the numbers that the pipeline's have
};

// Copies of all Funcs, outputs with their own names, others with others.
SizedCopy copy_for_sizes(const std::vector<Halide::Func> &funcs, const Halide::Pipeline &pipeline,
                         size_t number);

// The outputs, whatever they are computed like so far, are computed as in the copy where the
// condition holds. Called once for each copy, that which is asked for first as the last.
void compute_as_in(const SizedCopy &copy, const std::vector<Halide::Func> &funcs,
                   const Halide::Pipeline &pipeline, const Halide::Expr &condition);

}  // namespace autoschedule_gpu
