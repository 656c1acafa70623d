// Conditions under which a second schedule of a stage is taken, on what Halide has variables for:
// how far loops run, and the fields of buffers. `true` is none: Halide would keep it.
#pragma once

#include <Halide.h>

#include <string>
#include <vector>

#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

// Both, where neither stays if it is `true`.
Halide::Expr both(const Halide::Expr &all, const Halide::Expr &one);

// How far a stage's loop of the algorithm runs. Halide has lets of these names around all that is
// computed of the Func.
Halide::Expr computed_extent(const Halide::Func &func, int stage, const std::string &loop);

// The condition of a `specialize`: each extent is at least and at most so much.
Halide::Expr extents_fit(const std::vector<Halide::Expr> &extents, const Directive &specialize);

// Whether rows begin at multiples of four elements, and buffers at such addresses: those of an
// output, if there is one, and of inputs.
Halide::Expr rows_are_aligned(const Halide::Func *output, std::vector<api::InputBuffer> buffers);

// Whether vectors of pixels are aligned and whole. `funcs`: by their numbers.
Halide::Expr pixels_are_aligned(const std::vector<Halide::Func> &funcs, const Directive &vectorize);

// Whether an output's buffer begins and ends at multiples of these numbers.
Halide::Expr ends_are_multiples(const Halide::Func &output, const std::vector<int64_t> &multiples);

// Whether a buffer has so many points along a dimension, or more.
Halide::Expr has_points(const std::string &buffer, const api::LeastExtent &least);

}  // namespace autoschedule_gpu
