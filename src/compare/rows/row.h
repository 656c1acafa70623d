// What compare_autoschedulers found out about one application under one scheduler, as plain data.
//
//     comparison_file (results.json) ◄─► ComparisonRow ─► totals ─► metrics ─► losses, summary
//                                                           │                     │
//                                                           └─► roofline ─────────┤
//                                              present ◄─ comparison_page ◄─ tables ◄─┘
//
// Nothing here measures: whoever fills in a row knows how its figures were obtained. What is not
// known is empty, never zero. Numbers are finite. Totals over kernels are computed (totals.h),
// never stored.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/build/failure.h"

namespace autoschedule_gpu {

// Why an application has no result. In JSON it is one text: "ptxas: the kernel spills 512 bytes."
struct RowFailure {
    FailureKind kind = FailureKind::setup;
    std::string sentence = {};

    friend bool operator==(const RowFailure &, const RowFailure &) = default;
};

std::string to_string(const RowFailure &failure);

// Returns nullopt unless `text` begins with a kind's name, a colon and a space.
std::optional<RowFailure> parse_row_failure(std::string_view text);

// The confidence interval of a median, low <= high; in JSON it is [low, high].
struct RowInterval {
    double low = 0;
    double high = 0;

    friend bool operator==(const RowInterval &, const RowInterval &) = default;
};

// One kernel of the lowered pipeline. Bytes of traffic are sums over all its launches.
struct RowKernel {
    std::string name = {};
    std::array<std::optional<int64_t>, 3> blocks = {};  // x, y, z
    std::array<std::optional<int64_t>, 3> threads = {};
    std::optional<int64_t> launches = {};   // in one run of the pipeline
    std::optional<int64_t> registers = {};  // per thread, like the next two
    std::optional<int64_t> spill_bytes = {};
    std::optional<int64_t> stack_bytes = {};
    std::optional<int64_t> shared_bytes = {};  // per block
    std::optional<double> occupancy = {};  // resident warps / those that the SM can hold, 0 to 1
    // Global memory: bytes that must move, bytes that threads ask for, bytes of the sectors that
    // move.
    std::optional<double> footprint_load_bytes = {};
    std::optional<double> footprint_store_bytes = {};
    std::optional<double> access_load_bytes = {};
    std::optional<double> access_store_bytes = {};
    std::optional<double> transaction_load_bytes = {};
    std::optional<double> transaction_store_bytes = {};
    // Shared memory: bytes that threads ask for, and passes through its banks.
    std::optional<double> shared_access_bytes = {};
    std::optional<double> shared_wavefronts = {};
    // Arithmetic on floats, and on integers that depend on data (lab/traffic/operations.h).
    std::optional<double> float_operations = {};
    std::optional<double> integer_operations = {};
    std::optional<double> predicted_ms = {};  // all launches together, by the roofline model
    std::optional<bool> exact = {};           // the traffic is counted, not estimated
    std::optional<bool> data_dependent = {};  // some address depends on data

    friend bool operator==(const RowKernel &, const RowKernel &) = default;
};

// One size at which the output was compared with the reference's.
struct VerifiedSize {
    std::string size = {};
    bool ok = false;
    std::string detail = {};

    friend bool operator==(const VerifiedSize &, const VerifiedSize &) = default;
};

// The limits of the device scheduled for: peak rates of arithmetic, where a fused multiplication
// and addition counts as two operations, and of DRAM. All are positive.
struct RowRoofs {
    double float_gop_per_s = 0;  // 10^9 operations
    double integer_gop_per_s = 0;
    double dram_gb_per_s = 0;  // 10^9 bytes

    friend bool operator==(const RowRoofs &, const RowRoofs &) = default;
};

struct ComparisonRow {
    std::string app = {};
    std::string scheduler = {};          // "gpu", "gpu:beam_size=1", "manual": see scheduler_family
    std::string size = {};               // "full", "reduced"
    std::string gpu = {};                // name of the GpuModel that was scheduled for
    std::optional<RowRoofs> roofs = {};  // those of that GpuModel
    std::string device = "none";         // the device that it ran on
    std::optional<RowFailure> failure = {};     // status "failed" and its reason; else "ok"
    std::optional<std::string> reproduce = {};  // a shell command
    std::optional<double> search_s = {};        // median of the autoscheduler's call alone
    std::optional<RowInterval> search_s_interval = {};
    int64_t search_s_samples = 0;
    std::optional<double> generator_s = {};  // the whole generator process
    std::optional<double> peak_mb = {};      // peak resident memory of that process, in MiB
    std::vector<RowKernel> kernels = {};
    // Why the kernels were not counted, if so: then of their launches no more than constant extents
    // were compared with the device's limits, and of the kernels there is what the assembler says.
    std::optional<std::string> uncounted = {};
    // Whether the output was right, if it was compared; never false if ok().
    std::optional<bool> verified = {};
    std::vector<VerifiedSize> verified_sizes = {};
    std::optional<double> run_ms = {};  // median over processes, each of which gives one time
    std::optional<RowInterval> run_ms_interval = {};
    int64_t run_samples = 0;  // number of processes
    std::string date = {};
    std::string command = {};

    bool ok() const { return !failure; }

    friend bool operator==(const ComparisonRow &, const ComparisonRow &) = default;
};

// Returns "gpu" for "gpu:beam_size=1": configurations of one scheduler are one family.
std::string_view scheduler_family(std::string_view scheduler);

}  // namespace autoschedule_gpu
