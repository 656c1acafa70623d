// Reads lowered Halide code (Module::get_conceptual_stmt of a module compiled for a GPU target) as
// plain data. What is known only at run time becomes a number: sizes and parameters get their
// estimates, and buffers are dense unless a constraint says otherwise. The function is pure.
//
// Errors name the missing estimate, or the construct that is not understood.
#pragma once

#include <Halide.h>

#include "core/lowered/lowered.h"
#include "core/support/error.h"
#include "halide/read/given_sizes.h"

namespace autoschedule_gpu {

// `pipeline` is the one that `stmt` was lowered from, scheduled or not; `target` is the one that it
// was lowered for. `sizes`: instead of the pipeline's own estimates.
Result<lowered::Code> read_loops(const Halide::Internal::Stmt &stmt,
                                 const Halide::Pipeline &pipeline, const Halide::Target &target,
                                 const GivenSizes &sizes = {});

}  // namespace autoschedule_gpu
