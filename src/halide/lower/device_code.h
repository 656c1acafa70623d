// Device code of single kernels, and what an assembler says of it before the pipeline is compiled.
#pragma once

#include <Halide.h>

#include <vector>

#include "halide/lower/trial_lower.h"

namespace autoschedule_gpu {

// Fills in what the kernels of lowered code, in which they are still loops, keep at once. An error
// where the code cannot be read (halide/lower/read_loops.h).
Status count_live_words(const Halide::Internal::Stmt &lowered, const Halide::Pipeline &pipeline,
                        const Halide::Target &target, std::vector<KernelLaunch> &kernels);

// Those that the assembler is to judge, as indices.
std::vector<size_t> kernels_to_ask_about(const std::vector<KernelLaunch> &kernels,
                                         const CodeCheck &check);

// The code with only these of its kernels. Halide then spends no time on the others, and turns
// these into the very device code that it would have made of them.
Halide::Internal::Stmt with_kernels_only(const Halide::Internal::Stmt &lowered,
                                         const std::vector<size_t> &kernels);

// Fills in registers and spills of the `checked` kernels of `trial`, which are all that `module`
// has, and of those like them. PTX, hence a target with CUDA.
void check_code(const Halide::Module &module, const CodeCheck &check,
                const std::vector<size_t> &checked, TrialLowering &trial);

}  // namespace autoschedule_gpu
