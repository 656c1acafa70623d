// Kernels of a trial whose code the assembler judges, compiled by one process or by two at once.
//
//     kernels ─► share ─┬► compiled here ────────────────┬► together ─► usage of all
//                       └► compiled in a fork, which ends ┘
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/support/error.h"
#include "halide/lower/apart.h"
#include "halide/lower/trial_lower.h"

namespace autoschedule_gpu {

// What came of compiling kernels.
struct Compiled {
    std::optional<std::string> refused;  // why Halide did not
    // Why what it has made can't be used.
    std::optional<std::string> defect = std::nullopt;
    // An error if there is no assembler that can tell; in the order of the kernels.
    Result<std::vector<CodeCheck::Usage>> usage = std::vector<CodeCheck::Usage>();
};

class CompiledKernels {
public:
    // Returns which of `asked`, positions in `kernels`, this process compiles: all or a half. With
    // two processes it returns in both. To be called at most once.
    std::vector<size_t> share(const std::vector<KernelLaunch> &kernels,
                              const std::vector<size_t> &asked, CompiledBy by);

    // Returns what came of all that were asked about, if `mine` is what came of this process's
    // share; the other process ends here.
    Compiled together(Compiled mine);

private:
    Twin twin_;
    std::vector<bool> is_others_;  // of those that were asked about
};

}  // namespace autoschedule_gpu
