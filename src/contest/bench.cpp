#include "contest/bench.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "measure/runner.h"
#include "measure/subprocess.h"
#include "support/file.h"

namespace autoschedule_gpu {
namespace {

namespace fs = std::filesystem;

// A folder's name from a contender's label: of the characters that a generator takes in a value.
std::string as_file_name(std::string text) {
    for (char &c : text) {
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.') c = '_';
    }
    return text;
}

Failure setup_failure(const std::string &reason) {
    return {.kind = FailureKind::setup, .reason = reason};
}

Status make_folder(const std::string &folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return Error{folder + ": can't be made: " + error.message()};
    return Ok{};
}

Result<std::string> find_plugin(const Toolbox &tools, const std::string &name) {
    for (const std::string &folder : tools.plugin_folders) {
        const fs::path path = fs::path(folder) / name;
        if (fs::exists(path)) return path.string();
    }
    std::string places;
    for (const std::string &folder : tools.plugin_folders) places += " " + folder;
    return Error{name + " is in none of these folders:" + places};
}

Result<ProbeReport> read_probe(const std::string &path) {
    const Result<std::string> text = read_file(path);
    if (!text) return text.error();
    Result<ProbeReport> report = parse_probe_report(*text);
    if (!report) return Error{path + ": " + report.error().message};
    return report;
}

}  // namespace

std::string target_text(GpuTarget target, const GpuModel &model) {
    if (target == GpuTarget::opencl) return "host-opencl";
    const int64_t capability =
        10 * model.compute_capability_major + model.compute_capability_minor;
    if (capability == 0) return "host-cuda";
    constexpr int64_t kNewest = 86;
    return "host-cuda-cuda_capability_" + std::to_string(std::min(capability, kNewest));
}

Bench::Bench(const Application &application, const Toolbox &tools, const GpuModel &model,
             std::string gpu, BenchLimits limits, std::string folder)
    : application_(application),
      tools_(tools),
      model_(model),
      gpu_(std::move(gpu)),
      limits_(limits),
      folder_(std::move(folder)) {}

const Outcome<std::string> &Bench::expected(const std::string &size) {
    const auto found = expected_.find(size);
    if (found != expected_.end()) return found->second;
    return expected_.emplace(size, make_expected(size)).first->second;
}

Outcome<std::string> Bench::make_expected(const std::string &size) {
    const Result<NamedValues> params = size_parameters(application_, size);
    if (!params) return setup_failure(params.error().message);
    const Candidate candidate{.name = application_.name + "_reference",
                              .generator = application_.generator,
                              .generator_name = application_.name,
                              .target = "host",
                              .params = *params};
    const std::string folder = folder_ + "/reference-" + size;
    if (const Status made = make_folder(folder); !made) return setup_failure(made.error().message);
    const Outcome<Generated> generated =
        autoschedule_gpu::generate(candidate, folder, limits_.generate,
                                   {.object = true, .device_code = false, .schedule = false});
    if (!generated) return generated.error();
    const Outcome<Linked> linked =
        link_library(candidate, generated->object_path, folder, tools_.compiler);
    if (!linked) return linked.error();
    const ReferenceJob job{.library = linked->library_path,
                           .name = candidate.name,
                           .expected = folder + "/expected",
                           .timeout = limits_.reference_timeout};
    const Outcome<RunReport> run = run_reference(tools_.runner, job);
    if (!run) return run.error();
    return job.expected;
}

Outcome<Candidate> Bench::plain_candidate(const Contender &contender, GpuTarget target,
                                          const std::string &size) const {
    const Result<NamedValues> params = size_parameters(application_, size);
    if (!params) return setup_failure(params.error().message);
    Candidate candidate{.name = application_.name + "_candidate",
                        .generator = application_.generator,
                        .generator_name = application_.name,
                        .target = target_text(target, model_),
                        .params = *params,
                        .scheduler = contender.scheduler,
                        .scheduler_params = contender.scheduler_params};
    candidate.params.insert(candidate.params.end(), contender.generator_params.begin(),
                            contender.generator_params.end());
    if (!contender.plugin.empty()) {
        const Result<std::string> plugin = find_plugin(tools_, contender.plugin);
        if (!plugin) return setup_failure(plugin.error().message);
        candidate.plugin = *plugin;
    }
    return candidate;
}

Outcome<Candidate> Bench::probed_candidate(const Contender &contender, GpuTarget target,
                                           const std::string &size,
                                           const std::string &probe_out) const {
    Outcome<Candidate> plain = plain_candidate(contender, target, size);
    if (!plain) return plain;
    Candidate candidate = std::move(plain).value();
    candidate.plugin = tools_.probe + (candidate.plugin.empty() ? "" : "," + candidate.plugin);
    candidate.scheduler_params.emplace_back("probe_out", probe_out);
    candidate.scheduler_params.emplace_back("probe_gpu", gpu_);
    if (!candidate.scheduler.empty()) {
        candidate.scheduler_params.emplace_back("inner", candidate.scheduler);
    }
    candidate.scheduler = "Probe";
    return candidate;
}

Outcome<ProbedCandidate> Bench::generate(const Contender &contender, GpuTarget target,
                                         const std::string &size,
                                         const GeneratorOutputs &outputs) {
    const std::string api = target == GpuTarget::cuda ? "cuda" : "opencl";
    ProbedCandidate made;
    made.folder = folder_ + "/" + as_file_name(contender.label) + "-" + api + "-" + size;
    if (const Status status = make_folder(made.folder); !status) {
        return setup_failure(status.error().message);
    }
    const std::string probe_out = made.folder + "/probe.json";
    std::error_code ignored;
    fs::remove(probe_out, ignored);
    Outcome<Candidate> candidate = probed_candidate(contender, target, size, probe_out);
    if (!candidate) return candidate.error();
    made.candidate = std::move(candidate).value();
    Outcome<Generated> generated =
        autoschedule_gpu::generate(made.candidate, made.folder, limits_.generate, outputs);
    if (!generated) {
        Failure failure = generated.error();
        failure.command = plain_command(contender, target, size);
        return failure;
    }
    made.generated = std::move(generated).value();
    Result<ProbeReport> probe = read_probe(probe_out);
    if (!probe) return setup_failure(probe.error().message);
    made.probe = std::move(probe).value();
    return made;
}

Outcome<double> Bench::search_again(const Contender &contender, const std::string &size) {
    const std::string folder = folder_ + "/" + as_file_name(contender.label) + "-search";
    if (const Status made = make_folder(folder); !made) return setup_failure(made.error().message);
    const std::string probe_out = folder + "/probe.json";
    std::error_code ignored;
    fs::remove(probe_out, ignored);
    Outcome<Candidate> candidate =
        probed_candidate(contender, GpuTarget::cuda, size, probe_out);
    if (!candidate) return candidate.error();
    Candidate only_search = std::move(candidate).value();
    only_search.scheduler_params.emplace_back("probe_only", "true");
    const Outcome<Generated> generated =
        autoschedule_gpu::generate(only_search, folder, limits_.generate,
                                   {.object = false, .device_code = false, .schedule = true});
    // The probe ends the generator when it has what it wants.
    const Result<ProbeReport> probe = read_probe(probe_out);
    if (probe && probe->search_s) return *probe->search_s;
    if (!generated) return generated.error();
    return setup_failure("the probe wrote no search time to " + probe_out);
}

Outcome<Linked> Bench::link(const ProbedCandidate &candidate) {
    return link_library(candidate.candidate, candidate.generated.object_path, candidate.folder,
                        tools_.compiler);
}

std::string Bench::plain_command(const Contender &contender, GpuTarget target,
                                 const std::string &size) const {
    const Outcome<Candidate> candidate = plain_candidate(contender, target, size);
    if (!candidate) return "";
    return shell_text(generator_command(*candidate, "."));
}

}  // namespace autoschedule_gpu
