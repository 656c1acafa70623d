// Candidates in which less is written out side by side, for what the compilers behind Halide make
// wrong of that: vectors of Booleans for OpenCL, for CUDA four signed bytes, be it in a vector or in
// unrolled code, and for either vectors that are no aligned ones (src/halide/README.md, "Vectors of
// Booleans in OpenCL", "Signed bytes that CUDA compares", "Shared memory of a block").
#pragma once

#include <optional>

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// Nothing: the nest has none.
std::optional<Nest> without_vectors(const Dag &dag, Nest nest);

// Without vectors, and with every loop of a thread as a loop. Nothing: that is the same nest.
std::optional<Nest> written_as_loops(const Dag &dag, Nest nest);

// Whether bytes are read, computed or stored by some Func. Signed ones may be made of others.
bool has_bytes(const Dag &dag);

}  // namespace autoschedule_gpu
