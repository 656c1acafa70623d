#include "plugins/autoscheduler/spill_check.h"

#include <Halide.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "lab/ptxas/ptxas.h"

namespace autoschedule_gpu {

namespace {

// Of the registers, in values that are kept at once. Kernels that were seen to spill keep four
// tenths of them and more (products of matrices with a tile of 16 sums: the assembler writes out
// several iterations of their loop and makes all loads first); of those that keep 1.7 times as
// many, compilers still find an order that spills next to nothing (stencils, the fused camera
// pipe).
constexpr double kDoubtfulShare = 0.4, kHopelessShare = 2.2;
// Of the registers, in values that are computed: so much code in a row leaves compilers room to
// make loads long before their values are used (scans with 32 steps written out, which keep few
// values as they are written, and spill). The least that was seen to spill, two rows of pyramids
// with their coordinates, have 7.4.
constexpr int64_t kDoubtfulValuesPerRegister = 7;

std::string environment(const char *name) {
    const char *value = std::getenv(name);
    return value == nullptr ? std::string() : value;
}

// Asks a program that somebody named what it is, whether or not it will be needed.
Result<std::string> ptxas_path(const std::string &wanted) {
    if (wanted != "auto") {
        const Result<std::string> path = find_ptxas({.explicit_path = wanted});
        if (!path) return path;
        const Result<Ptxas> program = Ptxas::open(*path);
        return program ? path : program.error();
    }
    const void *in_halide = reinterpret_cast<const void *>(&Halide::load_plugin);
    return find_ptxas({.path_variable = environment("PATH"),
                       .toolkit_folders = {environment("CUDA_HOME"), environment("CUDA_PATH")},
                       .virtual_environment = environment_of_library(in_halide)});
}

Result<std::vector<CodeCheck::Usage>> assemble(const std::string &ptxas, const std::string &ptx,
                                               const PtxasOptions &options) {
    const Result<Ptxas> program = Ptxas::open(ptxas);
    if (!program) return program.error();
    const Outcome<PtxasReport> report = program->assemble(ptx, options);
    if (!report) return Error{report.error().reason};
    std::vector<CodeCheck::Usage> usage;
    for (const PtxasKernel &kernel : report->kernels) {
        usage.push_back({kernel.registers, kernel.spill_store_bytes + kernel.spill_load_bytes});
    }
    return usage;
}

}  // namespace

Result<SpillCheck> SpillCheck::create(const std::string &wanted, const GpuModel &gpu) {
    SpillCheck check(gpu.max_registers_per_thread);
    const Result<int> architecture = architecture_of(gpu);
    if (wanted == "off" || !architecture) {
        check.why_no_ptxas_ = wanted == "off" ? "switched off" : architecture.error().message;
        return check;
    }
    check.architecture_ = *architecture;
    const Result<std::string> path = ptxas_path(wanted);
    if (path) {
        check.ptxas_ = *path;
    } else if (wanted == "auto") {
        check.why_no_ptxas_ = path.error().message;
    } else {
        return Error{"autoscheduler.ptxas: " + path.error().message};
    }
    return check;
}

int64_t SpillCheck::hopeless_words() const {
    return static_cast<int64_t>(kHopelessShare * static_cast<double>(max_registers_));
}

CodeCheck SpillCheck::code_check() const {
    CodeCheck check;
    if (!architecture_) return check;
    check.on = true;
    check.doubtful_live_words =
        std::llround(std::ceil(kDoubtfulShare * static_cast<double>(max_registers_)));
    check.hopeless_live_words = hopeless_words();
    check.doubtful_values = kDoubtfulValuesPerRegister * max_registers_;
    if (ptxas_.empty()) return check;
    const PtxasOptions options{.architecture = *architecture_,
                               .max_registers = static_cast<int>(max_registers_)};
    check.assemble = [ptxas = ptxas_, options](const std::string &ptx) {
        return assemble(ptxas, ptx, options);
    };
    return check;
}

int64_t SpillCheck::spill_bytes(const KernelLaunch &kernel) const {
    constexpr int64_t kBytesPerWord = 4 + 4;  // stored and loaded
    if (kernel.spill_bytes >= 0) return kernel.spill_bytes;
    const int64_t beyond = kernel.live_words - max_registers_;
    return kernel.live_words >= hopeless_words() ? kBytesPerWord * beyond : 0;
}

}  // namespace autoschedule_gpu
