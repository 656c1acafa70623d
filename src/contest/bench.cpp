#include "contest/bench.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "measure/device_lock.h"
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

// Of the function that a candidate's library offers.
std::string candidate_name(const Application &application) {
    return application.name + "_candidate";
}

Status make_folder(const std::string &folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return Error{folder + ": can't be made: " + error.message()};
    return Ok{};
}

Result<ProbeReport> read_probe(const std::string &path) {
    const Result<std::string> text = read_file(path);
    if (!text) return text.error();
    Result<ProbeReport> report = parse_probe_report(*text);
    if (!report) return Error{path + ": " + report.error().message};
    return report;
}

}  // namespace

Result<std::string> find_plugin(const Toolbox &tools, const std::string &name) {
    for (const std::string &folder : tools.plugin_folders) {
        const fs::path path = fs::path(folder) / name;
        if (fs::exists(path)) return path.string();
    }
    std::string places;
    for (const std::string &folder : tools.plugin_folders) places += " " + folder;
    return Error{name + " is in none of these folders:" + places};
}

std::string target_text(GpuTarget target, const GpuModel &model) {
    if (target == GpuTarget::opencl) return "host-opencl";
    const int64_t capability = 10 * model.compute_capability_major + model.compute_capability_minor;
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
    Outcome<std::string> made = make_expected(size);
    if (!made) {
        Failure failure = made.error();
        failure.reason = "the reference: " + failure.reason;
        made = failure;
    }
    return expected_.emplace(size, std::move(made)).first->second;
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
    Candidate candidate{.name = candidate_name(application_),
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

Outcome<Bench::ProbeFolder> Bench::make_probe_folder(const std::string &name) const {
    const std::string folder = folder_ + "/" + name;
    if (const Status made = make_folder(folder); !made) return setup_failure(made.error().message);
    ProbeFolder place{.folder = folder, .probe_out = folder + "/probe.json"};
    std::error_code ignored;
    fs::remove(place.probe_out, ignored);
    return place;
}

Outcome<ProbedCandidate> Bench::generate(const Contender &contender, GpuTarget target,
                                         const std::string &size, const GeneratorOutputs &outputs) {
    const std::string api = target == GpuTarget::cuda ? "cuda" : "opencl";
    const Outcome<ProbeFolder> place =
        make_probe_folder(as_file_name(contender.label) + "-" + api + "-" + size);
    if (!place) return place.error();
    Outcome<Candidate> candidate = probed_candidate(contender, target, size, place->probe_out);
    if (!candidate) return candidate.error();
    ProbedCandidate made;
    made.folder = place->folder;
    made.candidate = std::move(candidate).value();
    Outcome<Generated> generated =
        autoschedule_gpu::generate(made.candidate, made.folder, limits_.generate, outputs);
    if (!generated) {
        Failure failure = generated.error();
        failure.command = plain_command(contender, target, size);
        return failure;
    }
    made.generated = std::move(generated).value();
    Result<ProbeReport> probe = read_probe(place->probe_out);
    if (!probe) return setup_failure(probe.error().message);
    made.probe = std::move(probe).value();
    return made;
}

Outcome<double> Bench::search_again(const Contender &contender, const std::string &size) {
    const Outcome<ProbeFolder> place = make_probe_folder(as_file_name(contender.label) + "-search");
    if (!place) return place.error();
    Outcome<Candidate> candidate =
        probed_candidate(contender, GpuTarget::cuda, size, place->probe_out);
    if (!candidate) return candidate.error();
    Candidate only_search = std::move(candidate).value();
    only_search.scheduler_params.emplace_back("probe_only", "true");
    const Outcome<Generated> generated =
        autoschedule_gpu::generate(only_search, place->folder, limits_.generate,
                                   {.object = false, .device_code = false, .schedule = true});
    // The probe ends the generator when it has what it wants.
    const Result<ProbeReport> probe = read_probe(place->probe_out);
    if (probe && probe->search_s) return *probe->search_s;
    if (!generated) return generated.error();
    return setup_failure("the probe wrote no search time to " + place->probe_out);
}

Outcome<Linked> Bench::link(const ProbedCandidate &candidate) {
    return link_library(candidate.candidate, candidate.generated.object_path, candidate.folder,
                        tools_.compiler);
}

Outcome<RunJob> Bench::run_job(const std::string &library, const std::string &size,
                               RunDevice device, const NoiseProtocol &noise) {
    const Outcome<std::string> &outputs = expected(size);
    if (!outputs) return outputs.error();
    return RunJob{.library = library,
                  .name = candidate_name(application_),
                  .expected = *outputs,
                  .device = device,
                  .noise = noise,
                  .tolerance = application_.tolerance,
                  .timeout = limits_.run_timeout};
}

Outcome<RunReport> Bench::run(const RunJob &job) const {
    const Result<DeviceLock> lock = DeviceLock::acquire(to_string(job.device));
    if (!lock) return setup_failure(lock.error().message);
    return run_candidate(tools_.runner, job);
}

std::string Bench::plain_command(const Contender &contender, GpuTarget target,
                                 const std::string &size) const {
    const Outcome<Candidate> candidate = plain_candidate(contender, target, size);
    if (!candidate) return "";
    return shell_text(generator_command(*candidate, "."));
}

}  // namespace autoschedule_gpu
