#include "contest/fill_row.h"

#include <cmath>

#include "measure/kernel_figures.h"
#include "measure/ptx.h"
#include "support/statistics.h"

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
    kernel.exact = traffic.exact;
    kernel.data_dependent = traffic.data_dependent;
    return kernel;
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

Result<std::vector<PtxasKernel>> assemble_kernels(const Ptxas *ptxas, std::string_view device_code,
                                                  const GpuModel &model) {
    const bool has_kernels = device_code.find(".entry") != std::string_view::npos;
    if (ptxas == nullptr || model.api != GpuApi::cuda || !has_kernels) {
        return std::vector<PtxasKernel>();
    }
    const Result<int> architecture = architecture_of(model);
    if (!architecture) return architecture.error();
    Result<PtxasReport> report = ptxas->assemble(device_code, {.architecture = *architecture});
    if (!report) return report.error();
    return std::move(report).value().kernels;
}

std::vector<Launch> launches_of(const ProbeReport &probe) {
    std::vector<Launch> launches;
    if (!probe.kernels) return launches;
    for (const KernelTraffic &kernel : *probe.kernels) {
        launches.push_back({kernel.name, kernel.shared_bytes, kernel.threads, kernel.blocks});
    }
    return launches;
}

std::vector<RowKernel> row_kernels(const ProbeReport &probe,
                                   const std::vector<PtxasKernel> &assembled,
                                   const GpuModel &model) {
    std::vector<RowKernel> kernels;
    if (!probe.kernels) return kernels;
    for (const KernelTraffic &traffic : *probe.kernels) kernels.push_back(row_kernel(traffic));

    std::vector<std::string> names;
    for (const PtxasKernel &kernel : assembled) names.push_back(kernel.name);
    const std::vector<int> launch_of = match_launches(names, launches_of(probe));
    for (size_t i = 0; i < assembled.size(); ++i) {
        if (launch_of[i] < 0) continue;
        RowKernel &kernel = kernels[static_cast<size_t>(launch_of[i])];
        kernel.registers = assembled[i].registers;
        kernel.spill_bytes = assembled[i].spill_store_bytes + assembled[i].spill_load_bytes;
        kernel.stack_bytes = assembled[i].stack_bytes;
        const int64_t threads = *kernel.threads[0] * *kernel.threads[1] * *kernel.threads[2];
        kernel.occupancy =
            occupancy(model, threads, *kernel.registers, *kernel.shared_bytes).warp_occupancy;
    }
    return kernels;
}

}  // namespace autoschedule_gpu
