// collect: schedules drawn at random, measured, as samples for a cost model. Parses arguments,
// calls src/collect, shows where it stands.
#include "collect/collect.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "measure/device_lock.h"
#include "one_line_errors.h"
#include "progress_line.h"
#include "stop_signal.h"
#include "support/hash.h"
#include "support/hex.h"
#include "support/utc_time.h"
#include "tool_paths.h"
#include "trial_options.h"

namespace {

using namespace autoschedule_gpu;

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;
constexpr int kInterrupted = 130;

struct Arguments : TrialOptions {
    std::string pipelines, sampler = "mixed", weights, work = "small";
    int samples = 0;
    uint64_t seed = 0;
};

int fail(const std::string &message, int code) {
    std::cerr << "collect: " << message << "\n";
    return code;
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
    Result<Sampler> sampler = chosen_sampler(arguments.sampler, arguments.weights);
    if (!sampler) return sampler.error();
    settings.sampler = std::move(sampler).value();
    const Result<Phases> phases = chosen_phases(arguments, *device);
    if (!phases) return phases.error();
    settings.phases = *phases;
    Result<std::string> folder = output_folder(arguments);
    if (!folder) return folder.error();
    settings.folder = std::move(folder).value();
    Result<TrialBenchSettings> bench = trial_bench_settings(arguments, paths, *device);
    if (!bench) return bench.error();
    settings.bench = std::move(bench).value();
    settings.bench.folder = settings.folder + "/work";
    settings.origin = {.gpu = settings.bench.model,
                       .halide = AUTOSCHEDULE_GPU_HALIDE_VERSION,
                       .plugin = AUTOSCHEDULE_GPU_VERSION,
                       .date = utc_date_of_today()};
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
    app.add_option("--app-size", a.size, "of the applications: a size of app.json")
        ->default_str("reduced");
    add_trial_options(app, a);
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
    return run(arguments, command_text("collect", argc, argv));
}
