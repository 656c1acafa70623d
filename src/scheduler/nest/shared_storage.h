// How Funcs lie in the shared memory of a kernel.
//
// Halide lets Funcs of which none is needed while the other is have the same place there. Where
// their elements differ in size it counts that place in elements of the wider one, rounded down, so
// that the last bytes of the narrow one would be those of what comes next. Rows of whole elements
// of the widest leave nothing to round. Kernels that share a launch share that memory as well.
//
// A vector is such a wide element. Whether it begins at a multiple of its size Halide asks before
// the Funcs of a block have their places behind each other. A vector at one place of its Func,
// which does not depend on the thread (scheduler/nest/shared_vectors.h), is then taken for aligned
// wherever that Func comes to lie. What the rules here overlook, a trial refuses
// (halide/lower/misaligned_vectors.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// Whether what these threads of the kernel compute lies in shared memory.
bool is_in_shared_memory(const Kernel &kernel, const Band &threads);

// Whether the kernel computes something there.
bool has_shared_memory(const Kernel &kernel);

// Returns the bytes of the widest element, or vector at one place, that the kernel has in shared
// memory; 1 if it has none.
int64_t widest_shared_element(const Dag &dag, const Kernel &kernel);

// Whether the kernel has a vector in shared memory beside a Func of one point, which can't be
// rounded up.
bool parts_shared_vectors(const Dag &dag, const Kernel &kernel);

// Returns to a multiple of how many elements the innermost dimension of a Func is rounded up beside
// elements of that many bytes: 1 if it stays as it is.
int64_t shared_row_alignment(const Func &func, int64_t widest_element);

// Returns the points that a Func of these extents has storage for, if its innermost dimension is
// rounded up so.
int64_t stored_points(std::span<const int64_t> extents, int64_t row_alignment,
                      size_t innermost = 0);

// Returns a Func that is computed before a loop of the kernel and would be overwritten in it;
// invalid if there is none. Halide follows what the block needs from the first line to the last,
// but not from the end of a loop back to its beginning: after its last use in the loop, the Func's
// place is given to what is computed there next.
FuncId overwritten_in_loop(const Dag &dag, const Kernel &kernel);

}  // namespace autoschedule_gpu
