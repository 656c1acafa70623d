// ptxas_report: registers, spills, stack and shared bytes of every kernel in PTX files, without a
// GPU. Parses arguments, calls src/lab/ptxas, prints.
#include <iostream>

#include "common/command_line.h"
#include "common/tool_paths.h"
#include "core/gpu/resolve.h"
#include "core/support/file.h"
#include "lab/ptxas/kernel_table.h"
#include "lab/ptxas/ptx.h"
#include "lab/ptxas/ptxas.h"

namespace {

using namespace autoschedule_gpu;

struct Arguments {
    std::string gpu = "auto", ptxas, json_path, report_path;
    int max_registers = 64;
    std::vector<std::string> files;
};

constexpr FailureOf fail("ptxas_report");

// Returns the device; `auto` depends on the file, whose PTX names its target.
Result<GpuModel> device_of(const Arguments &arguments, const std::string &ptx) {
    const auto modules = split_ptx(ptx);
    if (!modules) return modules.error();
    return resolve_gpu_model(arguments.gpu, {.cuda_capability = modules->front().target});
}

Result<PtxasReport> assemble(const Ptxas &ptxas, const Arguments &arguments,
                             const std::string &path) {
    const Result<std::string> ptx = read_file(path);
    if (!ptx) return ptx.error();
    const auto model = device_of(arguments, *ptx);
    if (!model) return model.error();
    const auto architecture = architecture_of(*model);
    if (!architecture) return architecture.error();
    Outcome<PtxasReport> report = ptxas.assemble(
        *ptx, {.architecture = *architecture, .max_registers = arguments.max_registers});
    if (!report) return Error{report.error().reason};
    return std::move(report).value();
}

void print_notes(const PtxasReport &report) {
    for (const std::string &warning : report.warnings) std::cerr << warning << "\n";
    if (report.used_architecture == report.requested_architecture) return;
    std::cerr << "note: this ptxas does not know sm_" << report.requested_architecture
              << "; assembled for sm_" << report.used_architecture << "\n";
}

int run(const Arguments &arguments) {
    const auto device = resolve_gpu_model(arguments.gpu);
    if (!device) return fail(device.error().message, kBadUsage);
    if (const auto known = architecture_of(*device); !known) {
        return fail(known.error().message, kBadUsage);
    }
    std::vector<Launch> launches;
    if (!arguments.report_path.empty()) {
        auto read = read_launch_report(arguments.report_path);
        if (!read) return fail(read.error().message, kBadUsage);
        launches = std::move(read).value();
    }
    const auto ptxas = open_ptxas(arguments.ptxas);
    if (!ptxas) return fail(ptxas.error().message, kFailed);

    std::vector<KernelRow> rows;
    for (const std::string &file : arguments.files) {
        const auto report = assemble(*ptxas, arguments, file);
        if (!report) return fail(file + ": " + report.error().message, kFailed);
        print_notes(*report);
        for (const PtxasKernel &kernel : report->kernels) rows.push_back({file, kernel, {}});
    }
    add_launches(rows, launches);
    std::cout << to_table(rows);
    if (arguments.json_path.empty()) return 0;
    const Status written = write_file(arguments.json_path, to_json(rows));
    return written ? 0 : fail(written.error().message, kFailed);
}

}  // namespace

int main(int argc, char **argv) {
    CommandLine line({
        .name = "ptxas_report",
        .what = "Registers, spills, stack and shared bytes of GPU kernels, by ptxas, without "
                "a GPU. A device-code-file is what a Halide generator writes with `-e "
                "device_code` for a CUDA target.",
        .examples = "my.generator -g blur -o out -e device_code target=host-cuda"
                    "\n"
                    "ptxas_report --gpu A100 out/blur.device_code",
        .statuses = "0 all assembled, 1 ptxas missing or failed, 2 bad usage",
    });
    Arguments arguments;
    line.app()
        .add_option("device-code-file", arguments.files, "PTX")
        ->required()
        ->check(CLI::ExistingFile);
    line.app()
        .add_option(
            "--gpu", arguments.gpu,
            "the device: a preset, a JSON file of one, or auto (this machine's, else by the "
            "PTX's target)")
        ->capture_default_str();
    line.app()
        .add_option("--max-registers", arguments.max_registers,
                    "registers per thread that ptxas may use; Halide's runtime allows 64")
        ->capture_default_str()
        ->check(CLI::Range(1, 255));
    line.app().add_option("--report", arguments.report_path,
                          "the autoscheduler's JSON report, for the shared bytes of each launch");
    line.app().add_option("--json", arguments.json_path, "write the table to this file too");
    line.app().add_option(
        "--ptxas", arguments.ptxas,
        "the program; else beside nvcc, on PATH, in CUDA_HOME or CUDA_PATH, or from the "
        "wheel nvidia-cuda-nvcc in VIRTUAL_ENV");
    if (const auto done = line.parse(argc, argv)) return *done;
    return run(arguments);
}
