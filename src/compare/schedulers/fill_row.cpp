#include "compare/schedulers/fill_row.h"

#include <cmath>

#include "compare/schedulers/predicted_time.h"
#include "core/support/statistics.h"

namespace autoschedule_gpu {
namespace {

RowInterval row_interval(const ConfidenceInterval &interval) {
    return {interval.low, interval.high};
}

RowKernel row_kernel(const KernelTraffic &traffic) {
    RowKernel kernel;
    kernel.name = traffic.name;
    for (size_t d = 0; d < 3; ++d) {
        kernel.blocks[d] = traffic.blocks[d];
        kernel.threads[d] = traffic.threads[d];
    }
    kernel.launches = std::llround(traffic.launches);
    kernel.shared_bytes = traffic.shared_bytes;
    kernel.footprint_load_bytes = traffic.footprint_load_bytes;
    kernel.footprint_store_bytes = traffic.footprint_store_bytes;
    kernel.access_load_bytes = traffic.access_load_bytes;
    kernel.access_store_bytes = traffic.access_store_bytes;
    kernel.transaction_load_bytes = traffic.transaction_load_bytes;
    kernel.transaction_store_bytes = traffic.transaction_store_bytes;
    kernel.shared_access_bytes = traffic.shared_access_bytes;
    kernel.shared_wavefronts = traffic.shared_wavefronts;
    kernel.float_operations = traffic.float_operations;
    kernel.integer_operations = traffic.integer_operations;
    kernel.exact = traffic.exact;
    kernel.data_dependent = traffic.data_dependent;
    return kernel;
}

void set_code_figures(const PtxasKernel &code, RowKernel &kernel) {
    kernel.registers = code.registers;
    kernel.spill_bytes = code.spill_store_bytes + code.spill_load_bytes;
    kernel.stack_bytes = code.stack_bytes;
}

void set_what_is_known(const Launch &launch, RowKernel &kernel) {
    kernel.shared_bytes = launch.shared_bytes;
    for (size_t d = 0; d < 3; ++d) {
        if (launch.blocks[d] > 0) kernel.blocks[d] = launch.blocks[d];
        if (launch.threads[d] > 0) kernel.threads[d] = launch.threads[d];
    }
}

// What is known of kernels that were not counted.
std::vector<RowKernel> assembled_kernels(const std::vector<KernelFigures> &figures) {
    std::vector<RowKernel> kernels;
    for (const KernelFigures &figure : figures) {
        kernels.push_back({.name = figure.code.name});
        set_code_figures(figure.code, kernels.back());
        if (figure.launch) set_what_is_known(*figure.launch, kernels.back());
    }
    return kernels;
}

}  // namespace

RowFailure row_failure(const Failure &failure) {
    return {failure.kind, failure.reason};
}

void set_generator_figures(const ProbedCandidate &candidate, ComparisonRow &row) {
    constexpr double kMebibyte = 1 << 20;
    row.generator_s = candidate.generated.cost.wall_s;
    if (candidate.probe.peak_memory_bytes) {
        row.peak_mb = *candidate.probe.peak_memory_bytes / kMebibyte;
    }
    row.uncounted = candidate.probe.traffic_error;
}

void set_search_time(const std::vector<double> &samples_s, ComparisonRow &row) {
    if (samples_s.empty()) return;
    row.search_s = median(samples_s);
    row.search_s_interval = row_interval(median_interval(samples_s));
    row.search_s_samples = static_cast<int64_t>(samples_s.size());
}

void set_run_time(const Timing &timing, ComparisonRow &row) {
    row.run_ms = timing.median_ms;
    row.run_ms_interval = row_interval(timing.interval_ms);
    row.run_samples = static_cast<int64_t>(timing.samples_ms.size());
}

std::vector<Launch> launches_of(const ProbeReport &probe) {
    std::vector<Launch> launches;
    if (!probe.kernels) {
        for (const LaunchExtents &launch : probe.launches) {
            launches.push_back({launch.kernel, launch.shared_bytes, launch.threads, launch.blocks});
        }
        return launches;
    }
    for (const KernelTraffic &kernel : *probe.kernels) {
        launches.push_back({kernel.name, kernel.shared_bytes, kernel.threads, kernel.blocks});
    }
    return launches;
}

RowRoofs row_roofs(const GpuModel &model) {
    constexpr double kFused = 2;  // operations of a multiplication with an addition
    const double cycles_per_ns = static_cast<double>(model.sm_count) * model.clock_ghz;
    return {
        .float_gop_per_s = kFused * static_cast<double>(model.fp32_lanes_per_sm) * cycles_per_ns,
        .integer_gop_per_s = kFused * static_cast<double>(model.int32_lanes_per_sm) * cycles_per_ns,
        .dram_gb_per_s = model.dram_bandwidth_gb_per_s};
}

std::vector<RowKernel> row_kernels(const ProbeReport &probe,
                                   const std::vector<KernelFigures> &figures,
                                   const GpuModel &model) {
    if (!probe.kernels) return assembled_kernels(figures);
    std::vector<RowKernel> kernels;
    for (const KernelTraffic &traffic : *probe.kernels) kernels.push_back(row_kernel(traffic));
    for (const KernelFigures &figure : figures) {
        if (!figure.launch_index) continue;
        RowKernel &kernel = kernels[*figure.launch_index];
        const KernelTraffic &traffic = (*probe.kernels)[*figure.launch_index];
        kernel.predicted_ms = predicted_ms(traffic, figure.code, model);
        set_code_figures(figure.code, kernel);
        if (figure.occupancy) kernel.occupancy = figure.occupancy->warp_occupancy;
    }
    return kernels;
}

}  // namespace autoschedule_gpu
