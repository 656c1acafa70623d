// collect: schedules drawn at random, measured, as samples for a cost model. Parses arguments,
// calls src/collect, shows where it stands.
#include "collect/collect.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>

#include "application_options.h"
#include "contest/bench.h"
#include "gpu/resolve.h"
#include "measure/device_lock.h"
#include "one_line_errors.h"
#include "progress_line.h"
#include "stop_signal.h"
#include "support/hash.h"
#include "support/hex.h"
#include "tool_paths.h"

namespace {

using namespace autoschedule_gpu;

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;
constexpr int kInterrupted = 130;

struct Arguments : ApplicationOptions {
    Arguments() { gpu = "auto"; }
    std::string pipelines, device = "opencl", sampler = "mixed", weights, phases = "auto",
                           work = "small";
    int samples = 0, jobs = 0;
    uint64_t seed = 0;
    double run_timeout_s = 60;
};

int fail(const std::string &message, int code) {
    std::cerr << "collect: " << message << "\n";
    return code;
}

// As the plugin sees it for the target that the draws are compiled for.
Result<GpuModel> gpu_for(const Arguments &arguments, RunDevice device) {
    TargetHints hints{.api = device == RunDevice::cuda ? GpuApi::cuda : GpuApi::opencl};
    Result<GpuModel> model = resolve_gpu_model(arguments.gpu, hints);
    if (!model) return Error{"--gpu: " + model.error().message};
    return model;
}

Result<std::vector<Subject>> subjects_of(const Arguments &arguments, const ToolPaths &paths) {
    SubjectSource source{.random_generator = paths.bin_folder + "/random_pipeline.generator",
                         .work = arguments.work,
                         .app_size = arguments.size};
    // Random pipelines need no applications to be there.
    const bool wants_apps =
        arguments.pipelines == "both" || arguments.pipelines.find("apps") != std::string::npos;
    if (wants_apps) {
        Result<std::vector<Application>> all = chosen_applications(arguments, paths);
        if (!all) return all.error();
        source.applications = std::move(all).value();
    }
    Result<std::vector<Subject>> subjects = parse_subjects(arguments.pipelines, source);
    if (!subjects) return Error{"--pipelines: " + subjects.error().message};
    return subjects;
}

Result<Sampler> sampler_of(const Arguments &arguments) {
    const Result<SamplerKind> kind = parse_sampler(arguments.sampler);
    if (!kind) return Error{"--sampler: " + kind.error().message};
    Sampler sampler{.kind = *kind};
    if (!arguments.weights.empty()) {
        Result<SamplerWeights> weights = sampler_weights(arguments.weights);
        if (!weights) return Error{"--weights: " + weights.error().message};
        sampler.weights = std::move(weights).value();
    }
    return sampler;
}

Result<Phases> phases_of(const std::string &text, RunDevice device) {
    if (text == "alternate") return Phases::alternate;
    if (text == "overlap") return Phases::overlap;
    if (text != "auto") {
        return Error{"--phases: expected auto, alternate or overlap, found '" + text + "'"};
    }
    return device == RunDevice::cuda ? Phases::overlap : Phases::alternate;
}

std::string today() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm day{};
    gmtime_r(&now, &day);
    char text[16];
    std::strftime(text, sizeof text, "%Y-%m-%d", &day);
    return text;
}

Status settle_bench(const Arguments &arguments, const ToolPaths &paths, RunDevice device,
                    TrialBenchSettings &bench) {
    Result<GpuModel> model = gpu_for(arguments, device);
    if (!model) return model.error();
    const Result<std::string> plugin =
        find_plugin({.plugin_folders = paths.plugin_folders}, "libautoschedule_gpu.so");
    if (!plugin) return plugin.error();
    bench.device = device;
    bench.gpu = arguments.gpu;
    bench.model = std::move(model).value();
    bench.target =
        target_text(device == RunDevice::cuda ? GpuTarget::cuda : GpuTarget::opencl, bench.model);
    bench.plugin = *plugin;
    bench.runner = paths.runner;
    bench.compile.timeout = milliseconds(arguments.timeout_s);
    bench.run_timeout = milliseconds(arguments.run_timeout_s);
    return Ok{};
}

Result<CollectSettings> settings_of(const Arguments &arguments, const ToolPaths &paths) {
    CollectSettings settings{
        .samples = arguments.samples, .seed = arguments.seed, .jobs = arguments.jobs};
    const Result<RunDevice> device = parse_run_device(arguments.device);
    if (!device || *device == RunDevice::cpu) {
        return Error{"--device: expected opencl or cuda, found '" + arguments.device + "'"};
    }
    Result<std::vector<Subject>> subjects = subjects_of(arguments, paths);
    if (!subjects) return subjects.error();
    settings.subjects = std::move(subjects).value();
    Result<Sampler> sampler = sampler_of(arguments);
    if (!sampler) return sampler.error();
    settings.sampler = std::move(sampler).value();
    const Result<Phases> phases = phases_of(arguments.phases, *device);
    if (!phases) return phases.error();
    settings.phases = *phases;
    Result<std::string> folder = output_folder(arguments);
    if (!folder) return folder.error();
    settings.folder = std::move(folder).value();
    if (Status settled = settle_bench(arguments, paths, *device, settings.bench); !settled) {
        return settled.error();
    }
    settings.bench.folder = settings.folder + "/work";
    settings.bench.first_run_in_link = settings.phases == Phases::alternate;
    settings.origin = {.gpu = settings.bench.model,
                       .halide = AUTOSCHEDULE_GPU_HALIDE_VERSION,
                       .plugin = AUTOSCHEDULE_GPU_VERSION,
                       .date = today()};
    return settings;
}

std::string text_of(const LedgerCounts &counts) {
    return std::to_string(counts.samples) + " samples, " + std::to_string(counts.duplicates) +
           " duplicates, " + std::to_string(counts.failures) + " failures";
}

std::string seconds_each(const CollectState &state) {
    if (state.new_samples == 0) return "";
    char text[80];
    std::snprintf(text, sizeof text, "; each %.1f s compiling, %.1f s running",
                  state.compile_s / state.new_samples, state.run_s / state.new_samples);
    return text;
}

int report(const Result<CollectReport> &done, const std::string &command) {
    if (!done) return fail(done.error().message, kFailed);
    std::cout << text_of(done->state.counts) << "; " << done->state.new_samples << " of them new"
              << seconds_each(done->state) << "\n";
    switch (done->end) {
        case CollectEnd::complete:
            return 0;
        case CollectEnd::interrupted:
            std::cout << "to go on: " << command << "\n";
            return kInterrupted;
        case CollectEnd::given_up:
            break;
    }
    return fail(
        "no more schedules of these pipelines become samples (failures.jsonl says why); "
        "name more pipelines",
        kFailed);
}

int run(const Arguments &arguments, const std::string &command) {
    Result<CollectSettings> parsed = settings_of(arguments, tool_paths(arguments.plugins));
    if (!parsed) return fail(parsed.error().message, kBadUsage);
    CollectSettings settings = std::move(parsed).value();
    settings.origin.command = command;
    const Result<Ptxas> ptxas = open_ptxas("");
    if (ptxas) settings.bench.ptxas = &*ptxas;

    const Result<DeviceLock> lock =
        DeviceLock::acquire("collect_" + to_hex(Hasher().add(settings.folder).value()),
                            {.at_most = std::chrono::milliseconds{0}});
    if (!lock) return fail("another process collects in " + settings.folder, kFailed);
    // Kernels that are run once need no place in the user's cache.
    setenv("POCL_CACHE_DIR", (settings.bench.folder + "/pocl").c_str(), 1);
    catch_stop_signals();

    ProgressLine line;
    const Result<CollectReport> done = collect(
        settings,
        [&](const CollectState &state) {
            const int missing = settings.samples - state.counts.samples;
            line.show(state.new_samples, state.new_samples + missing,
                      state.doing + " (" + text_of(state.counts) + seconds_each(state) + ")");
        },
        stop_was_asked);
    line.clear();
    return report(done, command);
}

void add_options(CLI::App &app, Arguments &a) {
    app.add_option("--pipelines", a.pipelines,
                   "random:N, random:FIRST-LAST (seeds), apps, apps:NAME,NAME; several with '+' "
                   "between; both: random:100+apps")
        ->required();
    app.add_option("--samples", a.samples, "in all, with those that --out has already")
        ->required()
        ->check(CLI::Range(1, 100'000'000));
    app.add_option("--out", a.out, "folder of the samples; goes on where an earlier call stopped")
        ->required();
    app.add_option("--device", a.device, "opencl or cuda")->capture_default_str();
    app.add_option("--seed", a.seed, "of the draws")->capture_default_str();
    app.add_option("--gpu", a.gpu, "the GPU to schedule for, as the plugin takes it")
        ->capture_default_str();
    app.add_option("--sampler", a.sampler,
                   "mixed (from what users get to decisions at random) or paper (Anderson et al. "
                   "2021: a beam search and 79 greedy ones)")
        ->capture_default_str();
    app.add_option("--weights", a.weights,
                   "draw schedules under this network too, where its searches lead: weights of the "
                   "device, from samples collected before")
        ->check(CLI::ExistingFile);
    app.add_option("--jobs", a.jobs, "that compile at the same time; 0: one per core")
        ->capture_default_str()
        ->check(CLI::Range(0, 1024));
    app.add_option("--phases", a.phases,
                   "alternate: nothing is compiled while a schedule runs; overlap; auto: alternate "
                   "on OpenCL, where the device may be the CPU")
        ->capture_default_str();
    app.add_option("--work", a.work, "of random pipelines: small (for a CPU) or large")
        ->capture_default_str()
        ->check(CLI::IsMember({"small", "large"}));
    app.add_option("--app-size", a.size, "of the applications: a size of app.json")
        ->default_str("reduced");
    app.add_option("--compile-timeout", a.timeout_s, "seconds for one generator")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--run-timeout", a.run_timeout_s, "seconds for one schedule on the device")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--plugins", a.plugins, "a folder in which to look for the plugin first");
    app.add_option("--apps-folder", a.apps_folder, "where NAME/app.json are (else: ../apps)");
    app.add_option("--generators", a.generators,
                   "where the programs NAME.generator are (else: beside this one)");
}

}  // namespace

int main(int argc, char **argv) {
    CLI::App app(
        "Samples for a cost model: schedules of random pipelines and of applications, from good\n"
        "to bad, with their features and run times. Writes DEVICE.samples and failures.jsonl to\n"
        "--out. The same command goes on where it was ended.\n"
        "Exit status: 0 all samples are there, 1 failed, 2 bad usage, 130 interrupted.");
    Arguments arguments;
    arguments.size = "reduced";
    add_options(app, arguments);
    show_errors_in_one_line(app, "collect");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : kBadUsage;
    }
    std::string command = "collect";
    for (int i = 1; i < argc; ++i) command += std::string(" ") + argv[i];
    return run(arguments, command);
}
