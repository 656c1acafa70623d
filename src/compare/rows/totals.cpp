#include "compare/rows/totals.h"

#include <algorithm>

#include "compare/rows/table_words.h"

namespace autoschedule_gpu {

namespace {

// Returns `combine(so far, figure of a kernel)` over all kernels; nullopt if one lacks the figure.
template <typename T, typename Combine>
std::optional<T> over_kernels(const std::vector<RowKernel> &kernels,
                              std::optional<T> RowKernel::*figure, const Combine &combine) {
    std::optional<T> result;
    for (const RowKernel &kernel : kernels) {
        const std::optional<T> &value = kernel.*figure;
        if (!value) return std::nullopt;
        result = result ? combine(*result, *value) : *value;
    }
    return result;
}

template <typename T>
std::optional<T> sum(const std::vector<RowKernel> &kernels, std::optional<T> RowKernel::*figure) {
    return over_kernels(kernels, figure, [](T a, T b) { return a + b; });
}

template <typename T>
std::optional<T> greatest(const std::vector<RowKernel> &kernels,
                          std::optional<T> RowKernel::*figure) {
    return over_kernels(kernels, figure, [](T a, T b) { return std::max(a, b); });
}

std::optional<double> megabytes(const std::vector<RowKernel> &kernels,
                                std::optional<double> RowKernel::*loads,
                                std::optional<double> RowKernel::*stores) {
    const std::optional<double> loaded = sum(kernels, loads), stored = sum(kernels, stores);
    if (!loaded || !stored) return std::nullopt;
    return (*loaded + *stored) / kBytesPerMb;
}

std::optional<double> mean_occupancy(const std::vector<RowKernel> &kernels) {
    double weighted = 0, weights = 0;
    for (const RowKernel &kernel : kernels) {
        const bool known =
            kernel.occupancy && kernel.transaction_load_bytes && kernel.transaction_store_bytes;
        if (!known) return std::nullopt;
        const double bytes = *kernel.transaction_load_bytes + *kernel.transaction_store_bytes;
        weighted += *kernel.occupancy * bytes;
        weights += bytes;
    }
    if (weights == 0) return std::nullopt;
    return weighted / weights;
}

}  // namespace

RowTotals totals(const ComparisonRow &row) {
    using Kernel = RowKernel;
    // Those for other sizes than the row's are never launched, and say nothing of it.
    std::vector<Kernel> kernels = row.kernels;
    std::erase_if(kernels, [](const Kernel &kernel) { return kernel.launches == 0; });
    RowTotals totals;
    totals.kernels = sum(kernels, &Kernel::launches);
    totals.most_registers = greatest(kernels, &Kernel::registers);
    totals.spill_bytes = sum(kernels, &Kernel::spill_bytes);
    totals.most_shared_bytes = greatest(kernels, &Kernel::shared_bytes);
    totals.least_occupancy = over_kernels(kernels, &Kernel::occupancy,
                                          [](double a, double b) { return std::min(a, b); });
    totals.mean_occupancy = mean_occupancy(kernels);
    totals.footprint_mb =
        megabytes(kernels, &Kernel::footprint_load_bytes, &Kernel::footprint_store_bytes);
    totals.access_mb = megabytes(kernels, &Kernel::access_load_bytes, &Kernel::access_store_bytes);
    totals.transaction_mb =
        megabytes(kernels, &Kernel::transaction_load_bytes, &Kernel::transaction_store_bytes);
    totals.float_operations = sum(kernels, &Kernel::float_operations);
    totals.integer_operations = sum(kernels, &Kernel::integer_operations);
    totals.predicted_ms = sum(kernels, &Kernel::predicted_ms);
    totals.traffic_is_exact = std::all_of(kernels.begin(), kernels.end(), [](const Kernel &kernel) {
        return kernel.exact.value_or(false);
    });
    return totals;
}

}  // namespace autoschedule_gpu
