#include "lab/ptxas/kernel_figures.h"

#include "core/support/file.h"
#include "lab/build/step.h"

namespace autoschedule_gpu {

namespace {

std::optional<Occupancy> occupancy_of(const PtxasKernel &code, const Launch &launch,
                                      const GpuModel &model) {
    int64_t threads = 1;
    for (const int64_t extent : launch.threads) {
        // 0: not known before the run. A product this large exceeds every device's limit.
        if (extent <= 0 || extent > model.max_threads_per_block) return std::nullopt;
        threads *= extent;
    }
    return occupancy(model, threads, code.registers,
                     launch.shared_bytes.value_or(0) + code.static_shared_bytes);
}

}  // namespace

std::vector<KernelFigures> kernel_figures(const std::vector<PtxasKernel> &kernels,
                                          const std::vector<Launch> &launches,
                                          const GpuModel &model) {
    std::vector<std::string> names;
    for (const PtxasKernel &kernel : kernels) names.push_back(kernel.name);
    const std::vector<int> matches = match_launches(names, launches);
    std::vector<KernelFigures> figures;
    for (size_t i = 0; i < kernels.size(); i++) {
        KernelFigures &figure = figures.emplace_back();
        figure.code = kernels[i];
        if (matches[i] < 0) continue;
        figure.launch_index = static_cast<size_t>(matches[i]);
        figure.launch = launches[*figure.launch_index];
        figure.occupancy = occupancy_of(figure.code, *figure.launch, model);
    }
    return figures;
}

Outcome<std::vector<KernelFigures>> assemble_kernels(const Ptxas &ptxas,
                                                     const std::string &ptx_path,
                                                     const std::vector<Launch> &launches,
                                                     const GpuModel &model,
                                                     std::chrono::milliseconds timeout) {
    const Result<std::string> ptx = read_file(ptx_path);
    if (!ptx) return Failure{.kind = FailureKind::setup, .reason = ptx.error().message};
    const Result<int> architecture = architecture_of(model);
    if (!architecture) {
        return Failure{.kind = FailureKind::setup, .reason = architecture.error().message};
    }
    const int registers = static_cast<int>(model.max_registers_per_thread);
    const Outcome<PtxasReport> report = ptxas.assemble(
        *ptx, {.architecture = *architecture, .max_registers = registers, .timeout = timeout});
    if (!report) {
        Failure failure = report.error();
        failure.reason = in_one_line(failure.reason);
        failure.command =
            shell_text({ptxas.path(), "-v", "-arch=sm_" + std::to_string(*architecture),
                        "-maxrregcount=" + std::to_string(registers), ptx_path, "-o", "/dev/null"});
        return failure;
    }
    return kernel_figures(report->kernels, launches, model);
}

std::optional<Failure> spill_failure(const std::vector<KernelFigures> &kernels,
                                     int64_t most_bytes) {
    for (const KernelFigures &kernel : kernels) {
        if (kernel.code.spill_store_bytes <= most_bytes) continue;
        return Failure{.kind = FailureKind::resource,
                       .reason = "the kernel " + kernel.code.name + " spills " +
                                 std::to_string(kernel.code.spill_store_bytes) +
                                 " bytes per thread, at most " + std::to_string(most_bytes) +
                                 " are allowed"};
    }
    return std::nullopt;
}

}  // namespace autoschedule_gpu
