// The kernels of several PTX files side by side, as text and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/build/launch_report.h"
#include "lab/ptxas/ptxas.h"

namespace autoschedule_gpu {

struct KernelRow {
    std::string file;
    PtxasKernel kernel;
    std::optional<int64_t> shared_bytes;  // of the launch; ptxas does not know them
};

// Fills in shared_bytes where match_launches finds the kernel's launch.
void add_launches(std::vector<KernelRow> &rows, const std::vector<Launch> &launches);

// A head line and one line per kernel, in aligned columns: kernel, registers, spill stores, spill
// loads, stack bytes, shared bytes ('-' where unknown).
std::string to_table(const std::vector<KernelRow> &rows);

//     {"kernels": [{"file": ..., "kernel": ..., "registers": N, "spill_store_bytes": N,
//                   "spill_load_bytes": N, "stack_bytes": N, "static_shared_bytes": N,
//                   "constant_bytes": N, "shared_bytes": N}, ...]}
// without "shared_bytes" where they are unknown.
std::string to_json(const std::vector<KernelRow> &rows);

}  // namespace autoschedule_gpu
