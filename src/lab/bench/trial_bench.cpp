#include "lab/bench/trial_bench.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/support/file.h"
#include "lab/samples/featurization.h"

namespace autoschedule_gpu {
namespace {

namespace fs = std::filesystem;

// The function's name in every library, so that equal code has equal names of kernels.
constexpr const char *kFunction = "pipeline";

std::string trace_path(const std::string &folder) {
    return folder + "/trace.json";
}

std::string decisions_path(const std::string &folder) {
    return folder + "/decisions.json";
}

// Writes the request's files beside what the generator will write, and tells the plugin of them.
Status write_files(const NamedValues &files, const std::string &folder, NamedValues &params) {
    std::error_code error;
    fs::create_directories(folder, error);
    for (const auto &[parameter, content] : files) {
        const std::string path = folder + "/given_" + parameter;
        if (Status written = write_file(path, content); !written) return written;
        params.emplace_back(parameter, path);
    }
    return Ok{};
}

// Strings of JSON hold no line breaks as such.
std::string without_line_breaks(std::string json) {
    std::ranges::replace(json, '\n', ' ');
    return json;
}

// Returns none for a schedule that was given as a trace.
Result<std::vector<FeatureTable>> read_features(const std::string &path) {
    const Result<std::string> bytes = read_file(path);
    if (!bytes) return bytes.error();
    if (bytes->empty()) return std::vector<FeatureTable>();
    return parse_featurization(*bytes);
}

}  // namespace

Outcome<std::unique_ptr<TrialBench>> TrialBench::open(const TrialBenchSettings &settings,
                                                      const Workload &any) {
    remove_folder(settings.folder);
    std::error_code error;
    fs::create_directories(settings.folder, error);
    if (error) return setup_failure(settings.folder + ": can't be made: " + error.message());
    Outcome<std::string> runtime =
        generate_runtime(any.generator, settings.target, settings.folder, settings.limits.generate);
    if (!runtime) return runtime.error();
    TrialBenchSettings own = settings;
    own.reference_plugin = settings.plugin;
    return std::unique_ptr<TrialBench>(new TrialBench(own, {std::move(runtime).value()}));
}

Candidate TrialBench::scheduled(const Workload &workload) const {
    Candidate candidate = this->candidate(workload, kFunction, settings_.target);
    candidate.plugin = settings_.plugin;
    candidate.scheduler = "GPU";
    candidate.scheduler_params = {{"gpu", settings_.gpu}, {"ptxas", "off"}};
    return candidate;
}

Outcome<Built> TrialBench::compile(const Workload &workload, const ScheduleRequest &request,
                                   const std::string &folder) const {
    Candidate candidate = scheduled(workload);
    NamedValues &params = candidate.scheduler_params;
    params.emplace_back("threads", "1");
    if (settings_.traces == Traces::kept) {
        params.emplace_back("trace_out", trace_path(folder));
        params.emplace_back("decisions_out", decisions_path(folder));
    }
    params.insert(params.end(), request.scheduler_params.begin(), request.scheduler_params.end());
    if (Status written = write_files(request.files, folder, params); !written) {
        return setup_failure(written.error().message);
    }
    return Bench::build(std::move(candidate), folder, {.schedule = false, .featurization = true});
}

Outcome<BuiltSchedule> TrialBench::build(const Workload &workload, const ScheduleRequest &request,
                                         int slot) {
    if (const Outcome<std::string> &made = reference(workload); !made) return made.error();
    const std::string folder = settings_.folder + "/draw-" + std::to_string(slot);
    remove_folder(folder);
    Outcome<Built> compiled = compile(workload, request, folder);
    if (!compiled) return compiled.error();
    BuiltSchedule built{std::move(compiled).value()};

    Result<std::vector<FeatureTable>> kernels = read_features(built.generated.featurization_path);
    if (!kernels) {
        return Failure{.kind = FailureKind::search,
                       .reason = "no features of the schedule: " + kernels.error().message};
    }
    built.kernels = std::move(kernels).value();
    if (built.generated.device_code_path.empty()) {
        return Failure{.kind = FailureKind::search,
                       .reason = "nothing of the pipeline is on the device"};
    }
    if (settings_.traces == Traces::left_out) return built;
    Result<std::string> trace = read_file(trace_path(folder));
    if (!trace) return setup_failure(trace.error().message);
    built.trace = std::move(trace).value();
    if (Result<std::string> decisions = read_file(decisions_path(folder))) {
        built.decisions = std::move(decisions).value();
    }
    return built;
}

Outcome<Prices> TrialBench::price(const Workload &workload, std::span<const std::string> lists,
                                  const NamedValues &model, int threads) {
    const std::string folder = settings_.folder + "/prices";
    remove_folder(folder);
    std::string lines;
    for (const std::string &list : lists) lines += without_line_breaks(list) + "\n";
    Candidate candidate = scheduled(workload);
    NamedValues &params = candidate.scheduler_params;
    params.emplace_back("candidates_out", folder + "/prices");
    params.emplace_back("threads", std::to_string(threads));
    params.insert(params.end(), model.begin(), model.end());
    const NamedValues files = {{"candidates", std::move(lines)}};
    if (Status written = write_files(files, folder, params); !written) {
        return setup_failure(written.error().message);
    }
    // The plugin ends this run by an error, whatever came of it.
    const Outcome<Generated> generated = generate(candidate, folder, settings_.limits.generate,
                                                  {.object = false, .device_code = false});
    const Result<std::string> text = read_file(folder + "/prices");
    if (!text) return generated ? setup_failure(text.error().message) : generated.error();
    Result<Prices> prices = parse_prices(*text, lists.size());
    if (!prices) return setup_failure(prices.error().message);
    return std::move(prices).value();
}

Outcome<RunJob> TrialBench::ready(const Workload &workload, const BuiltSchedule &built) {
    const Outcome<RunnableLibrary> library = link(built);
    if (!library) return library.error();
    Outcome<RunJob> timed = job(workload, *library, settings_.noise);
    if (!timed || settings_.phases == CompileOverlap::overlap) return timed;
    RunJob first = *timed;
    first.noise = kUntimed;
    const Outcome<RunReport> report = run_candidate(settings_.runner, first);
    if (!report) return report.error();
    return timed;
}

}  // namespace autoschedule_gpu
