// Device code of single kernels, and what the assembler says about it before the whole pipeline is
// compiled.
#pragma once

#include <Halide.h>

#include <optional>
#include <string_view>
#include <vector>

#include "halide/lower/trial_lower.h"

namespace autoschedule_gpu {

// Fills in `live_words` and `values` of the kernels of lowered code in which these are still loops,
// at those sizes.
// Returns an error if the code cannot be read (halide/lower/read_loops.h).
Status count_live_words(const Halide::Internal::Stmt &lowered, const Halide::Pipeline &pipeline,
                        const Halide::Target &target, const GivenSizes &sizes,
                        std::vector<KernelLaunch> &kernels);

// Fills in registers and spills of kernels that are the same as known ones.
void take_known_usage(const CodeCheck &check, std::vector<KernelLaunch> &kernels);

// Returns the indices of the kernels that the assembler is to judge.
std::vector<size_t> kernels_to_ask_about(const std::vector<KernelLaunch> &kernels,
                                         const CodeCheck &check);

// Returns the code with only these of its kernels. Halide then spends no time on the others, and
// makes the same device code of these as it would have made in the whole.
Halide::Internal::Stmt with_kernels_only(const Halide::Internal::Stmt &lowered,
                                         const std::vector<size_t> &kernels);

// Returns in words why the device code of a schedule can't be used, if that is known from its text.
std::optional<std::string_view> defect_of_code(const Halide::Module &module,
                                               const Halide::Target &target,
                                               const Schedule &schedule);

// Returns what the assembler says of the so many kernels in a module that was compiled for CUDA.
Result<std::vector<CodeCheck::Usage>> usage_of_code(const Halide::Module &module,
                                                    const CodeCheck &check, size_t kernels);

// Fills in registers and spills of the `checked` kernels; kernels that are like one of them get its
// figures.
void set_usage(const std::vector<size_t> &checked, const std::vector<CodeCheck::Usage> &usage,
               std::vector<KernelLaunch> &kernels);

}  // namespace autoschedule_gpu
