#include "pipelines/cuda_code.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace autoschedule_gpu::testing {

namespace {

using Halide::Internal::Call;

class LaunchVisitor : public Halide::Internal::IRVisitor {
public:
    std::string violation;

private:
    using IRVisitor::visit;

    // halide_cuda_run(context, state, name, blocks x y z, threads x y z, shared bytes, ...)
    void visit(const Call *call) override {
        IRVisitor::visit(call);
        if (call->name != "halide_cuda_run" || call->args.size() < 9) return;
        const auto constant = [&](size_t arg) {
            const auto value = Halide::Internal::as_const_int(call->args[arg]);
            return value ? static_cast<int64_t>(*value) : 1;
        };
        const int64_t threads = constant(5) * constant(6) * constant(7);
        std::ostringstream text;
        if (threads > 1024 || constant(7) > 64) text << threads << " threads in a block; ";
        if (constant(3) > 65535 || constant(4) > 65535)
            text << "more than 65535 blocks in y or z; ";
        if (constant(8) > 48 * 1024) text << constant(8) << " bytes of shared memory; ";
        if (!text.str().empty() && violation.empty()) violation = text.str() + "CUDA refuses that";
    }
};

struct TemporaryFile {
    std::string path;

    TemporaryFile() {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "pipeline_check_XXXXXX").string();
        const int descriptor = mkstemp(pattern.data());
        if (descriptor >= 0) close(descriptor);
        path = pattern;
    }
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
    }
    TemporaryFile(const TemporaryFile &) = delete;
    TemporaryFile &operator=(const TemporaryFile &) = delete;
};

std::string first_errors(const std::string &log) {
    std::istringstream lines(log);
    std::string line, errors;
    for (int kept = 0; kept < 3 && std::getline(lines, line);) {
        if (line.find("error") == std::string::npos && line.find("fatal") == std::string::npos) {
            continue;
        }
        errors += (kept++ ? "; " : "") + line;
    }
    return errors.empty() ? log.substr(0, 300) : errors;
}

int64_t sum_of_matches(const std::string &log, const std::regex &pattern, int64_t *greatest) {
    int64_t sum = 0;
    for (std::sregex_iterator it(log.begin(), log.end(), pattern), end; it != end; ++it) {
        const int64_t value = std::stoll((*it)[1]);
        sum += value;
        if (greatest) *greatest = std::max(*greatest, value);
    }
    return sum;
}

}  // namespace

CudaCode compile_for_cuda(Halide::Pipeline pipeline, const Halide::Target &target) {
    const Halide::Module module =
        pipeline.compile_to_module(pipeline.infer_arguments(), "checked_pipeline", target);
    CudaCode code;
    for (const Halide::Buffer<> &buffer : module.buffers()) {
        if (buffer.name().find("cuda_gpu_source_kernels") == std::string::npos) continue;
        code.ptx.assign(static_cast<const char *>(buffer.data()), buffer.size_in_bytes());
        code.ptx.resize(std::char_traits<char>::length(code.ptx.c_str()));
    }
    for (size_t at = code.ptx.find(".entry "); at != std::string::npos;
         at = code.ptx.find(".entry ", at + 1)) {
        ++code.kernels;
    }
    LaunchVisitor launches;
    for (const auto &function : module.functions()) function.body.accept(&launches);
    code.launch_violation = launches.violation;
    return code;
}

Result<PtxasReport> run_ptxas(const std::string &ptxas, const std::string &arch, int max_registers,
                              const std::string &ptx) {
    const TemporaryFile source;
    std::ofstream(source.path) << ptx;
    const std::string command = "'" + ptxas + "' -arch=" + arch +
                                " -maxrregcount=" + std::to_string(max_registers) + " -v '" +
                                source.path + "' -o /dev/null 2>&1";
    FILE *pipe = popen(command.c_str(), "r");
    if (!pipe) return Error{"ptxas could not be started."};
    std::string log;
    char chunk[4096];
    for (size_t got; (got = fread(chunk, 1, sizeof chunk, pipe)) > 0;) log.append(chunk, got);
    const int status = pclose(pipe);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return Error{first_errors(log)};

    PtxasReport report;
    int64_t registers = 0;
    sum_of_matches(log, std::regex(R"(Used (\d+) registers)"), &registers);
    report.max_registers = static_cast<int>(registers);
    report.spill_bytes = sum_of_matches(log, std::regex(R"((\d+) bytes spill)"), nullptr);
    return report;
}

}  // namespace autoschedule_gpu::testing
