// Which loops of a kernel are vectors: four neighbours in a row of 32-bit elements, which one
// instruction of a thread loads or stores (16 bytes, the widest that there are).
//
// Such an instruction needs an address that is a multiple of 16 bytes, of which Halide must be sure
// when it compiles. So the stages of a kernel with vectors have one schedule more, for where the
// rows of its output and of the inputs that it reads begin at such addresses, and for CUDA the
// buffers on the device, too; where they do not, the loops are unrolled
// (scheduler/schedule/write/vectors.h). A Func between kernels that
// is computed for each point of an output's rows (Func::rows_of) reads inputs at the same addresses
// as that. What it stores, it stores one by one: where its own rows begin in memory, Halide knows
// only at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// Whether four elements of a Func fill what one instruction moves at most.
bool has_vector_elements(const Func &func);

// The loop of an innermost band that may be a vector: four points along the first dimension of a
// Func of 32-bit elements. None if there is no such loop.
std::optional<size_t> vector_loop(const Dag &dag, const Band &innermost);

// The output with aligned rows for whose points the kernel's Func is computed, or which it is; none
// if there is no such output.
std::optional<FuncId> aligned_output(const Dag &dag, const Kernel &kernel);

// Whether the kernel can have vectors: there is such an output, its tiles are shifted, not guarded,
// at the ends of rows, and there is something to store or load by vectors.
bool may_have_vectors(const Dag &dag, const Kernel &kernel);

// The loop of a stage in the kernel's threads that is a vector, if any is.
std::optional<size_t> vector_loop(const Dag &dag, const Kernel &kernel, StageId stage);

// The inputs with aligned rows that a stage reads itself or through what is inlined; ascending.
std::vector<FuncId> aligned_inputs(const Dag &dag, const Kernel &kernel, StageId stage);

}  // namespace autoschedule_gpu
