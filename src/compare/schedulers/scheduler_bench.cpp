#include "compare/schedulers/scheduler_bench.h"

#include <filesystem>

#include "compare/schedulers/fill_row.h"
#include "core/process/subprocess.h"
#include "core/support/file.h"

namespace autoschedule_gpu {
namespace {

namespace fs = std::filesystem;

std::string work_folder(const ComparisonSettings &settings, const Application &application) {
    return settings.folder + "/work/" + application.name;
}

// Without a device to run on, the bench's device is of no concern.
BenchSettings bench_settings(const ComparisonSettings &settings, const Toolbox &tools,
                             const Application &application) {
    return {.device = run_device(settings.device).value_or(RunDevice::cuda),
            .model = settings.model,
            .ptxas = tools.ptxas,
            .runner = {.program = tools.runner},
            .compiler = tools.compiler,
            .limits = settings.limits,
            .warn = settings.warn,
            .folder = work_folder(settings, application)};
}

Outcome<Workload> workload_of(const Application &application, const std::string &size) {
    Result<Workload> workload = workload_at(application, size);
    if (!workload) return setup_failure(workload.error().message);
    return std::move(workload).value();
}

Result<ProbeReport> read_probe(const std::string &path) {
    const Result<std::string> text = read_file(path);
    if (!text) return text.error();
    Result<ProbeReport> report = parse_probe_report(*text);
    if (!report) return Error{path + ": " + report.error().message};
    return report;
}

}  // namespace

SchedulerBench::SchedulerBench(const ComparisonSettings &settings, const Toolbox &tools,
                               const Application &application)
    : Bench(bench_settings(settings, tools, application)),
      settings_(settings),
      tools_(tools),
      application_(application),
      folder_(work_folder(settings, application)) {}

Outcome<Candidate> SchedulerBench::plain_candidate(const SchedulerSpec &scheduler, RunDevice target,
                                                   const std::string &size) const {
    const Outcome<Workload> workload = workload_of(application_, size);
    if (!workload) return workload.error();
    Candidate candidate = this->candidate(*workload, application_.name + "_candidate",
                                          halide_target(target, settings_.model));
    candidate.scheduler = scheduler.scheduler;
    candidate.scheduler_params = scheduler.scheduler_params;
    candidate.params.insert(candidate.params.end(), scheduler.generator_params.begin(),
                            scheduler.generator_params.end());
    if (!scheduler.plugin.empty()) {
        const Result<std::string> plugin = find_plugin(tools_, scheduler.plugin);
        if (!plugin) return Failure{.kind = FailureKind::search, .reason = plugin.error().message};
        candidate.plugin = *plugin;
    }
    return candidate;
}

Outcome<Candidate> SchedulerBench::probed_candidate(const SchedulerSpec &scheduler,
                                                    RunDevice target, const std::string &size,
                                                    const std::string &probe_out) const {
    Outcome<Candidate> plain = plain_candidate(scheduler, target, size);
    if (!plain) return plain;
    Candidate candidate = std::move(plain).value();
    candidate.plugin = tools_.probe + (candidate.plugin.empty() ? "" : "," + candidate.plugin);
    candidate.scheduler_params.emplace_back("probe_out", probe_out);
    candidate.scheduler_params.emplace_back("probe_gpu", settings_.gpu);
    if (!candidate.scheduler.empty()) {
        candidate.scheduler_params.emplace_back("inner", candidate.scheduler);
    }
    candidate.scheduler = "Probe";
    return candidate;
}

Outcome<SchedulerBench::ProbeFolder> SchedulerBench::make_probe_folder(
    const std::string &name) const {
    const std::string folder = folder_ + "/" + name;
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return setup_failure(folder + ": can't be made: " + error.message());
    ProbeFolder place{.folder = folder, .probe_out = folder + "/probe.json"};
    fs::remove(place.probe_out, error);
    return place;
}

Outcome<ProbedCandidate> SchedulerBench::generate(const SchedulerSpec &scheduler, RunDevice target,
                                                  const std::string &size,
                                                  const GeneratorOutputs &outputs) {
    const Outcome<ProbeFolder> place = make_probe_folder(
        scheduler.folder_name() + "-" + std::string(to_string(target)) + "-" + size);
    if (!place) return place.error();
    Outcome<Candidate> candidate = probed_candidate(scheduler, target, size, place->probe_out);
    if (!candidate) return candidate.error();
    Outcome<Built> built = build(std::move(candidate).value(), place->folder, outputs);
    if (!built) {
        Failure failure = built.error();
        failure.command = plain_command(scheduler, target, size);
        return failure;
    }
    Result<ProbeReport> probe = read_probe(place->probe_out);
    if (!probe) return setup_failure(probe.error().message);
    ProbedCandidate made{std::move(built).value(), std::move(probe).value()};
    made.launches = launches_of(made.probe);
    return made;
}

Outcome<double> SchedulerBench::search_again(const SchedulerSpec &scheduler,
                                             const std::string &size) {
    const Outcome<ProbeFolder> place = make_probe_folder(scheduler.folder_name() + "-search");
    if (!place) return place.error();
    Outcome<Candidate> candidate =
        probed_candidate(scheduler, RunDevice::cuda, size, place->probe_out);
    if (!candidate) return candidate.error();
    Candidate only_search = std::move(candidate).value();
    only_search.scheduler_params.emplace_back("probe_only", "true");
    const Outcome<Built> built = build(std::move(only_search), place->folder,
                                       {.object = false, .device_code = false, .schedule = true});
    // The probe ends the generator when it has what it wants.
    const Result<ProbeReport> probe = read_probe(place->probe_out);
    if (probe && probe->search_s && !probe->error) return *probe->search_s;
    if (!built) return built.error();
    return setup_failure("the probe wrote no search time to " + place->probe_out);
}

Outcome<std::string> SchedulerBench::reference_at(const std::string &size) {
    const Outcome<Workload> workload = workload_of(application_, size);
    if (!workload) return workload.error();
    return reference(*workload);
}

Outcome<RunJob> SchedulerBench::job_at(const std::string &size, const RunnableLibrary &library,
                                       const NoiseProtocol &noise) {
    const Outcome<Workload> workload = workload_of(application_, size);
    if (!workload) return workload.error();
    Outcome<RunJob> made = job(*workload, library, noise);
    if (made) return made;
    Failure failure = made.error();
    failure.kind = FailureKind::setup;
    return failure;
}

std::string SchedulerBench::plain_command(const SchedulerSpec &scheduler, RunDevice target,
                                          const std::string &size) const {
    const Outcome<Candidate> candidate = plain_candidate(scheduler, target, size);
    if (!candidate) return "";
    return shell_text(generator_command(*candidate, "."));
}

}  // namespace autoschedule_gpu
