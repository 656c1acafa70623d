#include "lab/build/build_candidate.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "core/support/free_space.h"
#include "core/support/narration.h"
#include "lab/build/full_disk.h"

namespace autoschedule_gpu {

namespace {

namespace fs = std::filesystem;

struct OutputFile {
    std::string_view halide_name;
    std::string_view suffix;
    bool GeneratorOutputs::*wanted;
    std::string Generated::*path;
};

constexpr std::array<OutputFile, 5> kOutputFiles = {{
    {"object", ".o", &GeneratorOutputs::object, &Generated::object_path},
    {"device_code", ".device_code", &GeneratorOutputs::device_code, &Generated::device_code_path},
    {"schedule", ".schedule.h", &GeneratorOutputs::schedule, &Generated::schedule_path},
    {"stmt", ".stmt", &GeneratorOutputs::stmt, &Generated::stmt_path},
    {"featurization", ".featurization", &GeneratorOutputs::featurization,
     &Generated::featurization_path},
}};

std::string in_folder(const std::string &folder, const std::string &name, std::string_view suffix) {
    return (fs::path(folder) / (name + std::string(suffix))).string();
}

bool contains(std::string_view text, std::string_view what) {
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) ==
               std::tolower(static_cast<unsigned char>(b));
    };
    return std::search(text.begin(), text.end(), what.begin(), what.end(), same) != text.end();
}

// Returns what follows the words with which a generator reports an error; all of the output if they
// are missing.
std::string error_text(const std::string &output) {
    constexpr std::string_view kHead = "Unhandled exception: ";
    constexpr std::string_view kUserError = "Error: ";
    std::string_view text = output;
    if (const size_t at = text.rfind(kHead); at != std::string_view::npos) {
        text.remove_prefix(at + kHead.size());
    }
    if (text.starts_with(kUserError)) text.remove_prefix(kUserError.size());
    return in_one_line(text);
}

// Runs a generator; any exit status but 0 is a failure.
Outcome<ProcessResult> run_generator(const std::vector<std::string> &command,
                                     const std::string &folder, const StepLimits &limits) {
    Outcome<ProcessResult> result = run_step("the generator", command, folder, limits);
    if (!result || result->code == 0) return result;
    const std::string output = without_narration(result->err) + result->out;
    return Failure{.kind = classify_generator_message(output),
                   .reason = error_text(output),
                   .command = shell_text(command),
                   .output = end_of_output(*result)};
}

}  // namespace

std::vector<std::string> generator_command(const Candidate &candidate, const std::string &folder,
                                           const GeneratorOutputs &outputs) {
    std::string emitted;
    for (const OutputFile &file : kOutputFiles) {
        if (!(outputs.*file.wanted)) continue;
        emitted += (emitted.empty() ? "" : ",") + std::string(file.halide_name);
    }
    std::vector<std::string> command = {candidate.generator,
                                        "-g",
                                        candidate.generator_name,
                                        "-n",
                                        candidate.name,
                                        "-f",
                                        candidate.name,
                                        "-o",
                                        folder,
                                        "-e",
                                        emitted};
    if (!candidate.plugin.empty()) command.insert(command.end(), {"-p", candidate.plugin});
    command.push_back("target=" + candidate.target);
    for (const auto &[name, value] : candidate.params) command.push_back(name + "=" + value);
    if (!candidate.scheduler.empty()) command.push_back("autoscheduler=" + candidate.scheduler);
    for (const auto &[name, value] : candidate.scheduler_params) {
        command.push_back("autoscheduler." + name + "=" + value);
    }
    return command;
}

FailureKind classify_generator_message(std::string_view message) {
    // A scheduler's own errors name it. Internal errors name the file, which is in a folder
    // "autoschedulers".
    for (const std::string_view word : {"autoschedul", "Failed to load:", "anderson2021",
                                        "mullapudi2016", "li2018", "adams2019"}) {
        if (contains(message, word)) return FailureKind::search;
    }
    if (contains(message, "bad_alloc")) return FailureKind::resource;
    for (const std::string_view word : {"LLVM", "CodeGen"}) {
        if (contains(message, word)) return FailureKind::compile;
    }
    return FailureKind::halide;
}

Outcome<Generated> generate(const Candidate &candidate, const std::string &folder,
                            const StepLimits &limits, const GeneratorOutputs &outputs) {
    std::error_code code;
    fs::create_directories(folder, code);
    if (code) return setup_failure("cannot make the folder " + folder + ": " + code.message());
    // Files that an earlier generator left there would be taken for this one's.
    for (const OutputFile &file : kOutputFiles) {
        fs::remove(in_folder(folder, candidate.name, file.suffix), code);
    }

    const std::vector<std::string> command = generator_command(candidate, folder, outputs);
    const Outcome<ProcessResult> result = run_generator(command, folder, limits);
    if (!result) return result.error();
    // Halide does not look whether all that it wrote has arrived.
    if (auto reason = full_disk_reason({}, folder, free_bytes_of(folder))) {
        return setup_failure(*std::move(reason));
    }

    Generated generated{.messages = without_narration(result->err) + result->out,
                        .cost = cost_of(*result)};
    for (const OutputFile &file : kOutputFiles) {
        const std::string path = in_folder(folder, candidate.name, file.suffix);
        if (outputs.*file.wanted && fs::exists(path, code)) generated.*file.path = path;
    }
    if (outputs.object && generated.object_path.empty()) {
        return Failure{.kind = FailureKind::setup,
                       .reason = candidate.generator + " ended well and wrote no object file",
                       .command = shell_text(command),
                       .output = end_of_output(*result)};
    }
    return generated;
}

Outcome<std::string> generate_runtime(const std::string &generator, const std::string &target,
                                      const std::string &folder, const StepLimits &limits) {
    constexpr const char *kName = "halide_runtime";
    const Outcome<ProcessResult> result = run_generator(
        {generator, "-r", kName, "-o", folder, "-e", "object", "target=" + target}, folder, limits);
    if (!result) return result.error();
    return in_folder(folder, kName, ".o");
}

std::vector<std::string> link_command(const Candidate &candidate, const std::string &object_path,
                                      const std::string &folder, const std::string &compiler) {
    std::vector<std::string> command = {compiler, "-shared", "-o",
                                        in_folder(folder, candidate.name, ".so"), object_path};
    if (!candidate.runtime.empty()) command.push_back(candidate.runtime);
    command.insert(command.end(), {"-lpthread", "-ldl", "-lm"});
    return command;
}

Outcome<Linked> link_library(const Candidate &candidate, const std::string &object_path,
                             const std::string &folder, const std::string &compiler,
                             const StepLimits &limits) {
    const std::vector<std::string> command = link_command(candidate, object_path, folder, compiler);
    const Outcome<ProcessResult> result = run_step("the linker", command, folder, limits);
    if (!result) return result.error();
    if (result->code != 0) {
        return Failure{.kind = FailureKind::compile,
                       .reason = "the linker failed: " + in_one_line(result->err + result->out),
                       .command = shell_text(command),
                       .output = end_of_output(*result)};
    }
    return Linked{.library_path = in_folder(folder, candidate.name, ".so"),
                  .cost = cost_of(*result)};
}

}  // namespace autoschedule_gpu
