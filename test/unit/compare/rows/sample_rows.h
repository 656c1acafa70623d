// Invented rows: round numbers that can be checked by hand, measured on nothing.
#pragma once

#include <string>

#include "compare/rows/cross_resolution.h"
#include "compare/rows/row.h"

namespace autoschedule_gpu::sample {

// Everything known: 10 + 2 MB must move, 40 + 2 MB are asked for, 16 + 4 MB of sectors move.
inline RowKernel kernel(const std::string &name) {
    RowKernel kernel;
    kernel.name = name;
    kernel.blocks = {48, 320, 1};
    kernel.threads = {32, 8, 1};
    kernel.launches = 1;
    kernel.registers = 32;
    kernel.spill_bytes = 0;
    kernel.stack_bytes = 0;
    kernel.shared_bytes = 4096;
    kernel.occupancy = 0.5;
    kernel.footprint_load_bytes = 10e6;
    kernel.footprint_store_bytes = 2e6;
    kernel.access_load_bytes = 40e6;
    kernel.access_store_bytes = 2e6;
    kernel.transaction_load_bytes = 16e6;
    kernel.transaction_store_bytes = 4e6;
    kernel.shared_access_bytes = 1e6;
    kernel.shared_wavefronts = 12345.5;
    kernel.float_operations = 24e6;
    kernel.integer_operations = 12e6;
    kernel.predicted_ms = 0.024;
    kernel.exact = true;
    kernel.data_dependent = false;
    return kernel;
}

// Nothing but names.
inline ComparisonRow bare_row(const std::string &app, const std::string &scheduler) {
    ComparisonRow row;
    row.app = app;
    row.scheduler = scheduler;
    row.size = "full";
    row.gpu = "A100";
    row.date = "2000-01-01";
    row.command = "compare_autoschedulers --apps all";
    return row;
}

// Under these roofs, that kernel can't take less than 12 us for its 12 MB, and 2.4 us for its
// operations on floats, and for those on integers.
inline constexpr RowRoofs kRoofs = {
    .float_gop_per_s = 10000, .integer_gop_per_s = 5000, .dram_gb_per_s = 1000};

// One kernel, verified, a search of 2 s and 100 MiB, a run of 0.5 ms.
inline ComparisonRow row(const std::string &app, const std::string &scheduler) {
    ComparisonRow row = bare_row(app, scheduler);
    row.roofs = kRoofs;
    row.device = "opencl: invented";
    row.search_s = 2;
    row.search_s_interval = RowInterval{1.9, 2.1};
    row.search_s_samples = 5;
    row.generator_s = 4;
    row.peak_mb = 100;
    row.kernels = {kernel("k0")};
    row.verified = true;
    row.verified_sizes = {{"full", true, ""}, {"full_odd", true, "1537x2559"}};
    row.run_ms = 0.5;
    row.run_ms_interval = RowInterval{0.49, 0.52};
    row.run_samples = 30;
    return row;
}

inline ComparisonRow failed_row(const std::string &app, const std::string &scheduler,
                                FailureKind kind, const std::string &sentence) {
    ComparisonRow row = bare_row(app, scheduler);
    row.failure = RowFailure{kind, sentence};
    row.reproduce = "bin/" + app + ".generator -g " + app;
    return row;
}

inline CrossRow cross_row(const std::string &scheduled_for, const std::string &run_at) {
    CrossRow row;
    row.app = "blur";
    row.scheduler = "gpu";
    row.scheduled_for = {scheduled_for, ""};
    row.run_at = {run_at, ""};
    row.device = "cuda: invented";
    return row;
}

}  // namespace autoschedule_gpu::sample
