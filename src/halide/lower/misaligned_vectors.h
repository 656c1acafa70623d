// Vectors in lowered code that Halide 21 takes for aligned and that are not.
#pragma once

#include <Halide.h>

namespace autoschedule_gpu {

// Returns true if the code has a vector of neighbours that begins at no multiple of its length,
// though Halide says so. It asks before the Funcs of a block have their places behind each other in
// shared memory (scheduler/nest/shared_storage.h). In OpenCL such a load is of other elements, on a
// device it is an error.
bool has_misaligned_vectors(const Halide::Internal::Stmt &stmt);

}  // namespace autoschedule_gpu
