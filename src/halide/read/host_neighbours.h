// What must be on the host because of what is there: Halide copies little between host and device
// for Funcs that are not plain ones.
#pragma once

#include <Halide.h>

#include <optional>
#include <string>
#include <vector>

#include "core/dag/dag.h"

namespace autoschedule_gpu::reading {

// A Func of the Dag as Halide has it; no function: an image.
struct SourceFunc {
    std::optional<Halide::Internal::Function> function = {};
    bool unreadable = false;  // kernels could not load it from memory
};

// Keeps what touches a host Func on the host (Func::host_reason). An extern stage that is none of
// the GPU's gets its inputs in host memory: Halide leaves it to the callee to fetch data from the
// device, which a C function does not do. A memoized Func and its readers must be on the same side,
// because Halide fails on the copies between them, and so must an async one, whose copies Halide
// forgets. What a kernel cannot load is read on the host, and so is that whose loads are traced:
// the calls are where it is read.
//
// `sources`: by FuncId. `order`: names, in the order in which Halide realizes what is not inlined.
void keep_neighbours_on_host(const std::vector<SourceFunc> &sources,
                             const std::vector<std::string> &order, const Halide::Target &target,
                             Dag &dag);

}  // namespace autoschedule_gpu::reading
