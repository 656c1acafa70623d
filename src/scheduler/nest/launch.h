// Kernels that share a launch: the blocks of one compute a piece of each, one after the other
// (Halide's compute_with, at the innermost loop over blocks). That spares launches, and what
// several read comes from memory once. Each kernel has a grid of its own size; Halide guards the
// blocks that are beyond it, so that the Funcs need not be of one size. The grid has one dimension,
// and tiles end in guards or go on beyond the end where that asks for nothing that is not there,
// for Halide takes no specialization with it (src/halide/README.md, 'Kernels that share a launch').
//
//     kernel dx with dx ...        the first of a launch, by its stage (Kernel::with)
//     kernel dy with dx ...        another one
//
// Pure functions; safe from any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// The kernels of each launch by their positions in the nest, the one that the launch is named for
// first. In the order of the nest.
std::vector<std::vector<size_t>> launches(const Nest &nest);

// Whether some kernels share one.
bool shares_launches(const Nest &nest);

// The same kernel in the launch of that stage's kernel; with no stage, in one of its own.
KernelPtr in_launch_of(const KernelPtr &kernel, StageId with);

// The nest with a launch for each kernel.
Nest with_launches_apart(Nest nest);

// Whether, in a launch that is shared, the last tile along a loop of the kernel's stage goes on
// beyond its end, so that as much is computed in it as in any other.
bool rounds_up(const Dag &dag, const Kernel &kernel, size_t loop);

// The loops over blocks, innermost first, as a launch that is shared fuses them. The outermost is a
// quotient, which in a longer launch runs on beyond the Func: one that ends in a guard or a clamp,
// if any but the innermost does.
std::vector<size_t> shared_grid(const Dag &dag, const Kernel &kernel);

// Why a kernel can share no launch at all; nothing if it can.
std::optional<std::string> why_alone_in_launch(const Dag &dag, const Kernel &kernel);

// Why a kernel can't be computed in the launch of `first`; nothing if it can. Both are as they are
// apart or together.
std::optional<std::string> why_not_with(const Dag &dag, const Kernel &first, const Kernel &other);

// Why the launches of a nest can't run one after the other: a Func depends on what is computed in
// its own launch. Halide computes all stages of Funcs that share a launch together, so that all of
// what any of them reads comes before and all that reads one of them after.
std::optional<std::string> why_out_of_order(const Dag &dag, const Nest &nest);

}  // namespace autoschedule_gpu
