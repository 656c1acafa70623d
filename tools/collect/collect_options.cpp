#include "collect/collect_options.h"

#include <utility>

#include "core/support/utc_time.h"
#include "scheduler/model/model_choice.h"

namespace autoschedule_gpu {
namespace {

Result<std::vector<Workload>> workloads_of(const CollectOptions &options, const ToolPaths &paths) {
    WorkloadSource source{.random_generator = paths.bin_folder + "/random_pipeline.generator",
                          .work = options.work,
                          .app_size = options.size};
    // If only random pipelines are wanted, no application has to exist.
    const bool wants_apps =
        options.pipelines == "both" || options.pipelines.find("apps") != std::string::npos;
    if (wants_apps) {
        Result<std::vector<Application>> all = chosen_applications(options, paths);
        if (!all) return all.error();
        source.applications = std::move(all).value();
    }
    Result<std::vector<Workload>> workloads = parse_workloads(options.pipelines, source);
    if (!workloads) return Error{"--pipelines: " + workloads.error().message};
    return workloads;
}

}  // namespace

void add_collect_options(CLI::App &app, CollectOptions &a) {
    app.add_option("--pipelines", a.pipelines,
                   "random:N, random:FIRST-LAST (seeds), apps, apps:NAME,NAME; several with '+' "
                   "between; both: random:100+apps")
        ->required();
    app.add_option("--samples", a.samples,
                   "how many there are to be of these pipelines, with those that --out has already")
        ->required()
        ->check(CLI::Range(1, 100'000'000));
    app.add_option("--out", a.out, "folder of the samples; goes on where an earlier call stopped")
        ->required();
    app.add_option("--device", a.device, "opencl or cuda")->capture_default_str();
    app.add_option("--seed", a.seed, "of the draws")->capture_default_str();
    app.add_option("--sampler", a.sampler,
                   "mixed (from what users get to decisions at random) or paper (Anderson et al. "
                   "2021: a beam search and 79 greedy ones)")
        ->capture_default_str();
    app.add_option("--weights", a.weights,
                   "draw schedules under this network too, where its searches lead: weights of the "
                   "device, from samples collected before")
        ->check(CLI::ExistingFile);
    app.add_option("--work", a.work, "of random pipelines: small (for a CPU) or large")
        ->capture_default_str()
        ->check(CLI::IsMember({"small", "large"}));
    app.add_option("--app-size", a.size,
                   "of the applications: a size of app.json; reduced is for a CPU, full for a GPU")
        ->default_str("reduced");
    add_trial_options(app, a);
}

Result<CollectSettings> settings_of(const CollectOptions &options, const ToolPaths &paths) {
    CollectSettings settings{
        .samples = options.samples, .seed = options.seed, .jobs = options.jobs};
    const Result<RunDevice> device = parse_run_device(options.device);
    if (!device || *device == RunDevice::cpu) {
        return Error{"--device: expected opencl or cuda, found '" + options.device + "'"};
    }
    Result<std::vector<Workload>> workloads = workloads_of(options, paths);
    if (!workloads) return workloads.error();
    settings.workloads = std::move(workloads).value();
    Result<Sampler> sampler = chosen_sampler(options.sampler, options.weights);
    if (!sampler) return sampler.error();
    settings.sampler = std::move(sampler).value();
    Result<TrialBenchSettings> bench = trial_bench_settings(options, paths, *device);
    if (!bench) return bench.error();
    settings.bench = std::move(bench).value();
    settings.bench.noise = kCollectNoise;
    if (!options.weights.empty()) {
        // Otherwise the plugin would refuse each draw, and pipelines would be given up for that.
        const auto model = choose_model("network", options.weights, settings.bench.model, {});
        if (!model) return Error{"--weights: " + model.error().message};
    }
    Result<std::string> version = plugin_version(options, AUTOSCHEDULE_GPU_VERSION);
    if (!version) return version.error();
    // The folder is made last, so that a wrong option leaves none behind.
    Result<std::string> folder = output_folder(options);
    if (!folder) return folder.error();
    settings.folder = std::move(folder).value();
    settings.bench.folder = settings.folder + "/collect_work";
    settings.origin = {.gpu = settings.bench.model,
                       .halide = AUTOSCHEDULE_GPU_HALIDE_VERSION,
                       .plugin = std::move(version).value(),
                       .date = utc_date_of_today()};
    return settings;
}

}  // namespace autoschedule_gpu
