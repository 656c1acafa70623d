// Adds up the kernels of a row. A total is empty if there are no kernels or one lacks its figure,
// because a sum over the others would flatter the schedule.
#pragma once

#include <cstdint>
#include <optional>

#include "compare/rows/row.h"

namespace autoschedule_gpu {

struct RowTotals {
    std::optional<int64_t> kernels;         // launches in one run of the pipeline
    std::optional<int64_t> most_registers;  // per thread; the most of any kernel
    std::optional<int64_t> spill_bytes;     // per thread, summed over kernels
    std::optional<int64_t> most_shared_bytes;
    std::optional<double> least_occupancy;
    // Weighted by the bytes of the kernels' transactions; empty if nothing moves.
    std::optional<double> mean_occupancy;
    std::optional<double> footprint_mb;  // loads and stores; 1 MB is 10^6 bytes
    std::optional<double> access_mb;
    std::optional<double> transaction_mb;
    std::optional<double> float_operations;
    std::optional<double> integer_operations;
    std::optional<double> predicted_ms;
    bool traffic_is_exact = false;  // true if every kernel's traffic is
};

RowTotals totals(const ComparisonRow &row);

}  // namespace autoschedule_gpu
