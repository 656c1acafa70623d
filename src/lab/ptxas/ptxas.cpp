#include "lab/ptxas/ptxas.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <set>

#include "core/process/subprocess.h"
#include "core/process/temporary_folder.h"
#include "lab/build/step.h"
#include "lab/ptxas/ptx.h"

namespace autoschedule_gpu {

namespace {

// The text between `before` and `after`; from `before` to the end of line where `after` is missing.
std::optional<std::string_view> between(std::string_view line, std::string_view before,
                                        std::string_view after) {
    const size_t at = line.find(before);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view rest = line.substr(at + before.size());
    return rest.substr(0, rest.find(after));
}

// The whole number that ends where `unit` begins, as in "16 bytes spill loads"; 0 if there is none.
int64_t number_before(std::string_view text, std::string_view unit) {
    const size_t end = text.find(unit);
    if (end == std::string_view::npos || end == 0) return 0;
    size_t begin = end;
    while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') begin--;
    int64_t value = 0;
    std::from_chars(text.data() + begin, text.data() + end, value);
    return value;
}

int64_t sum_before(std::string_view text, std::string_view unit) {
    int64_t sum = 0;
    for (size_t at = text.find(unit); at != std::string_view::npos; at = text.find(unit)) {
        sum += number_before(text, unit);
        text.remove_prefix(at + unit.size());
    }
    return sum;
}

void read_usage(std::string_view line, PtxasKernel &kernel) {
    kernel.registers = number_before(line, " registers");
    kernel.static_shared_bytes = number_before(line, " bytes smem");
    kernel.constant_bytes = sum_before(line, " bytes cmem");
}

void read_frame(std::string_view line, PtxasKernel &kernel) {
    kernel.stack_bytes = number_before(line, " bytes stack frame");
    kernel.spill_store_bytes = number_before(line, " bytes spill stores");
    kernel.spill_load_bytes = number_before(line, " bytes spill loads");
}

std::string describe(const ProcessResult &result) {
    std::string text = result.err + result.out;
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text.empty() ? "without a word" : text;
}

// Runs it to its end; an exit status that is not 0 is a failure of kind ptxas. `folder` is where it
// writes.
Outcome<ProcessResult> run(const std::vector<std::string> &command, const std::string &folder,
                           std::chrono::milliseconds timeout) {
    Outcome<ProcessResult> result = run_step(command[0], command, folder, {.timeout = timeout});
    if (!result || result->code == 0) return result;
    return Failure{.kind = FailureKind::ptxas,
                   .reason = command[0] + " failed: " + describe(*result),
                   .command = shell_text(command),
                   .output = end_of_output(*result)};
}

// Returns the architectures that its help names as 'sm_80'. A letter behind the number makes a
// variant, which does not count.
std::vector<int> architectures_in(std::string_view help) {
    constexpr std::string_view kQuoted = "'sm_";
    std::set<int> found;
    for (size_t at = help.find(kQuoted); at != std::string_view::npos;
         at = help.find(kQuoted, at + 1)) {
        const char *first = help.data() + at + kQuoted.size();
        const char *last = help.data() + help.size();
        int number = 0;
        const auto [end, code] = std::from_chars(first, last, number);
        if (code == std::errc() && end != last && *end == '\'') found.insert(number);
    }
    return {found.begin(), found.end()};
}

// ptxas reports kernels in an order of its own.
Result<std::vector<PtxasKernel>> in_order_of(const PtxModule &module,
                                             const std::vector<PtxasKernel> &reported) {
    std::vector<PtxasKernel> ordered;
    for (const std::string &name : module.kernels) {
        const auto found = std::find_if(reported.begin(), reported.end(),
                                        [&](const PtxasKernel &k) { return k.name == name; });
        if (found == reported.end()) return Error{"ptxas says nothing about the kernel " + name};
        ordered.push_back(*found);
    }
    return ordered;
}

Outcome<PtxasOutput> assemble_module(const std::string &ptxas, const PtxModule &module,
                                     int architecture, const PtxasOptions &options) {
    const Result<TemporaryFolder> folder = TemporaryFolder::create("ptxas_");
    if (!folder) return setup_failure(folder.error().message);
    const std::string source = (folder->path() / "module.ptx").string();
    std::ofstream file(source, std::ios::binary);
    file << module.text;
    file.close();
    if (!file) return setup_failure("cannot write " + source);

    const Outcome<ProcessResult> result =
        run({ptxas, "-v", "-arch=sm_" + std::to_string(architecture),
             "-maxrregcount=" + std::to_string(options.max_registers), source, "-o",
             (folder->path() / "module.cubin").string()},
            folder->path().string(), options.timeout);
    if (!result) return result.error();

    PtxasOutput output = parse_ptxas_output(result->err + result->out);
    Result<std::vector<PtxasKernel>> kernels = in_order_of(module, output.kernels);
    if (!kernels) {
        return Failure{.kind = FailureKind::ptxas,
                       .reason = kernels.error().message + ": " + describe(*result)};
    }
    output.kernels = std::move(kernels).value();
    return output;
}

}  // namespace

PtxasOutput parse_ptxas_output(std::string_view text) {
    PtxasOutput output;
    std::string_view properties_of;  // functions that a kernel calls are listed under it
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);

        if (const auto name = between(line, "Compiling entry function '", "'")) {
            output.kernels.emplace_back().name = *name;
        } else if (const auto function = between(line, "Function properties for ", "\n")) {
            properties_of = *function;
        } else if (line.find("warning") != std::string_view::npos) {
            output.warnings.emplace_back(line);
        } else if (output.kernels.empty()) {
            continue;
        } else if (line.find(" bytes stack frame") != std::string_view::npos) {
            if (properties_of == output.kernels.back().name) {
                read_frame(line, output.kernels.back());
            }
        } else if (line.find(": Used ") != std::string_view::npos) {
            read_usage(line, output.kernels.back());
        }
    }
    return output;
}

Result<Ptxas> Ptxas::open(const std::string &path) {
    constexpr std::chrono::milliseconds kTimeout{30000};
    const Outcome<ProcessResult> help = run({path, "--help"}, "", kTimeout);
    if (!help) return Error{help.error().reason};
    std::vector<int> architectures = architectures_in(help->out + help->err);
    if (architectures.empty()) return Error{path + " is no ptxas: its help names no architecture"};
    return Ptxas(path, std::move(architectures));
}

Result<int> Ptxas::nearest_architecture(int wanted) const {
    const auto found = std::lower_bound(architectures_.begin(), architectures_.end(), wanted);
    if (found != architectures_.end()) return *found;
    return Error{path_ + " knows no architecture from sm_" + std::to_string(wanted) +
                 " on; its newest is sm_" + std::to_string(architectures_.back())};
}

Outcome<PtxasReport> Ptxas::assemble(std::string_view ptx, const PtxasOptions &options) const {
    const Result<std::vector<PtxModule>> modules = split_ptx(ptx);
    if (!modules) return Failure{.kind = FailureKind::ptxas, .reason = modules.error().message};
    const Result<int> architecture = nearest_architecture(options.architecture);
    if (!architecture) return setup_failure(architecture.error().message);

    PtxasReport report;
    report.requested_architecture = options.architecture;
    report.used_architecture = *architecture;
    for (const PtxModule &module : *modules) {
        if (module.target > options.architecture) {
            return setup_failure("the PTX is for sm_" + std::to_string(module.target) +
                                 " or newer, the device is sm_" +
                                 std::to_string(options.architecture));
        }
        const Outcome<PtxasOutput> output = assemble_module(path_, module, *architecture, options);
        if (!output) return output.error();
        report.kernels.insert(report.kernels.end(), output->kernels.begin(), output->kernels.end());
        report.warnings.insert(report.warnings.end(), output->warnings.begin(),
                               output->warnings.end());
    }
    return report;
}

}  // namespace autoschedule_gpu
