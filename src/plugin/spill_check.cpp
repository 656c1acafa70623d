#include "plugin/spill_check.h"

#include <algorithm>
#include <cstdlib>

#include "measure/ptxas.h"

namespace autoschedule_gpu {

namespace {

// Kernels that keep this share of the registers busy with values are asked about. Those that have
// been seen to spill keep 0.9 of them and more.
constexpr double kBusyShare = 0.875;

std::string environment(const char *name) {
    const char *value = std::getenv(name);
    return value == nullptr ? std::string() : value;
}

Result<std::string> ptxas_path(const std::string &wanted) {
    if (wanted != "auto") return find_ptxas({.explicit_path = wanted});
    const void *in_halide = reinterpret_cast<const void *>(&Halide::load_plugin);
    return find_ptxas({.path_variable = environment("PATH"),
                       .toolkit_folders = {environment("CUDA_HOME"), environment("CUDA_PATH")},

                       .virtual_environment = environment_of_library(in_halide)});
}

Result<std::vector<CodeCheck::Usage>> assemble(const std::string &ptxas, const std::string &ptx,
                                               const PtxasOptions &options) {
    const Result<Ptxas> program = Ptxas::open(ptxas);
    if (!program) return program.error();
    const Result<PtxasReport> report = program->assemble(ptx, options);
    if (!report) return report.error();
    std::vector<CodeCheck::Usage> usage;
    for (const PtxasKernel &kernel : report->kernels) {
        usage.push_back({kernel.registers, kernel.spill_store_bytes + kernel.spill_load_bytes});
    }
    return usage;
}

}  // namespace

Result<SpillCheck> SpillCheck::create(const std::string &wanted, const GpuModel &gpu) {
    SpillCheck check(gpu);
    const Result<int> architecture = architecture_of(gpu);
    if (wanted == "off" || !architecture) {
        check.why_off_ = wanted == "off" ? "switched off" : architecture.error().message;
        return check;
    }
    check.architecture_ = *architecture;
    const Result<std::string> path = ptxas_path(wanted);
    if (path) {
        check.ptxas_ = *path;
    } else if (wanted == "auto") {
        check.why_off_ = path.error().message;
    } else {
        return Error{"autoscheduler.ptxas: " + path.error().message};
    }
    return check;
}

CodeCheck SpillCheck::code_check() const {
    if (!on()) return {};
    const PtxasOptions options{.architecture = architecture_,
                               .max_registers = static_cast<int>(gpu_.max_registers_per_thread)};
    const double least_words = kBusyShare * static_cast<double>(gpu_.max_registers_per_thread);
    return {static_cast<int64_t>(least_words), [ptxas = ptxas_, options](const std::string &ptx) {
                return assemble(ptxas, ptx, options);
            }};
}

int64_t spill_bytes(const TrialLowering &lowered) {
    int64_t bytes = 0;
    for (const KernelLaunch &kernel : lowered.kernels) {
        bytes += std::max<int64_t>(0, kernel.spill_bytes);
    }
    return bytes;
}

}  // namespace autoschedule_gpu
