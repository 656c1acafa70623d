// autotune: better schedules from measurements. Parses arguments, calls src/tune, shows where it
// stands and what came of it.
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "autotune_worker.h"
#include "measure/device_lock.h"
#include "model/shipped_weights.h"
#include "one_line_errors.h"
#include "stop_signal.h"
#include "support/file.h"
#include "support/hash.h"
#include "support/hex.h"
#include "trial_options.h"
#include "tune/tuning_run.h"
#include "tune_progress.h"

namespace {

using namespace autoschedule_gpu;
namespace fs = std::filesystem;

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;
constexpr int kInterrupted = 130;

struct Arguments : TrialOptions {
    Arguments() { size = "auto"; }
    std::string app, generator, generator_name;
    std::vector<std::string> params;
    std::string mode, strategy = "batch", budget, records = "autotune.records", trace;
    std::string sampler = "paper", weights;
    int batch = 80, iterations = 20;
    bool queue = false;
    uint64_t seed = 0;
};

int fail(const std::string &message, int code) {
    std::cerr << "autotune: " << message << "\n";
    return code;
}

// On a CPU an application at full size takes seconds for every run.
std::string size_of(const Arguments &a, const Device &device) {
    if (a.size != "auto") return a.size;
    return device.kind == DeviceKind::cuda ? "full" : "reduced";
}

Result<Subject> generator_subject(const Arguments &a) {
    if (!fs::exists(a.generator)) return Error{"--generator: there is no " + a.generator};
    Subject subject{.generator = fs::absolute(a.generator).string(),
                    .generator_name = a.generator_name};
    if (subject.generator_name.empty()) {
        subject.generator_name = fs::path(a.generator).stem().string();
    }
    for (const std::string &param : a.params) {
        const size_t equals = param.find('=');
        if (equals == 0 || equals == std::string::npos) {
            return Error{"--param: expected NAME=VALUE, found '" + param + "'"};
        }
        subject.params.emplace_back(param.substr(0, equals), param.substr(equals + 1));
        subject.size += (subject.size.empty() ? "" : " ") + param;
    }
    if (subject.size.empty()) subject.size = "estimates";
    subject.pipeline = "generator:" + subject.generator_name;
    return subject;
}

Result<std::vector<Subject>> subjects_of(const Arguments &a, const ToolPaths &paths,
                                         const Device &device) {
    if (a.app.empty() == a.generator.empty()) {
        return Error{"expected --app NAME or --generator PATH, found " +
                     std::string(a.app.empty() ? "neither" : "both")};
    }
    if (!a.generator.empty()) {
        Result<Subject> subject = generator_subject(a);
        if (!subject) return subject.error();
        return std::vector<Subject>{std::move(subject).value()};
    }
    Result<std::vector<Application>> all = chosen_applications(a, paths);
    if (!all) return all.error();
    Result<std::vector<Subject>> subjects =
        parse_subjects(a.app == "all" ? "apps" : "apps:" + a.app,
                       {.applications = std::move(all).value(), .app_size = size_of(a, device)});
    if (!subjects) return Error{"--app: " + subjects.error().message};
    return subjects;
}

// The device that the code is compiled for.
RunDevice compiled_for(const Arguments &a, const Device &device) {
    if (const std::optional<RunDevice> runs = run_device(device)) return *runs;
    return a.gpu.find("opencl") != std::string::npos || a.gpu == "auto" ? RunDevice::opencl
                                                                        : RunDevice::cuda;
}

Result<Device> device_of(const Arguments &a) {
    Result<Device> device = parse_device(a.device);
    if (!device || device->kind == DeviceKind::none) {
        return Error{"--device: expected cuda, opencl or replay:FILE, found '" + a.device + "'"};
    }
    return device;
}

Result<BatchSettings> batch_of(const Arguments &a) {
    const Result<TuneMode> mode = parse_tune_mode(a.mode.empty() ? "autotune" : a.mode);
    if (!mode) return Error{"--mode: " + mode.error().message};
    const Result<SamplerKind> sampler = parse_sampler(a.sampler);
    if (!sampler) return Error{"--sampler: " + sampler.error().message};
    BatchSettings batch{.mode = *mode,
                        .batch = a.batch,
                        .iterations = a.iterations,
                        .seed = a.seed,
                        .sampler = {.kind = *sampler},
                        .retraining = {.weights = a.weights, .seed = a.seed, .threads = a.jobs}};
    if (!a.weights.empty()) {
        Result<SamplerWeights> weights = sampler_weights(a.weights);
        if (!weights) return Error{"--weights: " + weights.error().message};
        batch.sampler.weights = std::move(weights).value();
    }
    return batch;
}

// The strategy batch is a mode; before coordinate descent a mode is made if one is named.
Status settle_strategy(const Arguments &a, TuneRequest &request) {
    if (a.strategy != "batch" && a.strategy != "coordinate_descent") {
        return Error{"--strategy: expected batch or coordinate_descent, found '" + a.strategy +
                     "'"};
    }
    const bool descends = a.strategy == "coordinate_descent";
    Result<BatchSettings> batch = batch_of(a);
    if (!batch) return batch.error();
    if (!descends || !a.mode.empty()) request.batch = std::move(batch).value();
    if (descends) request.descent = DescentSettings{};
    return Ok{};
}

Result<TuneRequest> request_of(const Arguments &a, const ToolPaths &paths) {
    TuneRequest request{
        .records = fs::absolute(a.records).string(), .seed = a.seed, .jobs = a.jobs};
    Result<Device> device = device_of(a);
    if (!device) return device.error();
    request.device = *device;
    const RunDevice target = compiled_for(a, *device);
    Result<TrialBenchSettings> bench = trial_bench_settings(a, paths, target);
    if (!bench) return bench.error();
    request.bench = std::move(bench).value();
    const Result<Phases> phases = chosen_phases(a, target);
    if (!phases) return phases.error();
    request.phases = *phases;
    if (a.queue) request.measured_by = MeasuredBy::workers;
    Result<std::string> folder = output_folder(a);
    if (!folder) return folder.error();
    request.folder = std::move(folder).value();
    if (Status settled = settle_strategy(a, request); !settled) return settled.error();
    if (!a.budget.empty()) {
        const Result<Budget> budget = parse_budget(a.budget);
        if (!budget) return Error{"--budget: " + budget.error().message};
        request.budget = *budget;
    }
    Result<ModelChoice> model =
        choose_model("auto", a.weights, request.bench.model, shipped_weights());
    if (!model) return Error{"--weights: " + model.error().message};
    request.model = std::move(model).value();
    request.halide = AUTOSCHEDULE_GPU_HALIDE_VERSION;
    request.plugin = AUTOSCHEDULE_GPU_VERSION;
    request.date = date_of_today();
    return request;
}

// Several pipelines share what there is.
Budget share_of(const Budget &budget, size_t pipelines) {
    Budget share = budget;
    if (share.seconds) *share.seconds /= static_cast<double>(pipelines);
    if (share.trials) *share.trials = std::max(1, *share.trials / static_cast<int>(pipelines));
    return share;
}

int show_again(const TuneRequest &request, const std::string &trace) {
    const Result<ExportedSchedule> exported = export_trace(request, trace);
    if (!exported) {
        return fail("--trace: " + request.subject.pipeline + ": " + exported.error().message,
                    kBadUsage);
    }
    std::cout << "  header   " << exported->header_path << "\n  trace    " << exported->trace_path
              << "\n  again    " << exported->command << "\n";
    return 0;
}

int tune_one(const TuneRequest &request) {
    const Result<DeviceLock> lock =
        DeviceLock::acquire("autotune_" + to_hex(Hasher().add(request.bench.folder).value()),
                            {.at_most = std::chrono::milliseconds{0}});
    if (!lock) {
        return fail("another process tunes " + request.subject.pipeline + " in " + request.folder,
                    kFailed);
    }
    // Kernels that are run once need no place in the user's cache.
    setenv("POCL_CACHE_DIR", (request.bench.folder + "/pocl").c_str(), 1);
    TuneProgress progress(export_name(request.subject));
    const Result<TuneResult> result = tune_pipeline(
        request, [&](const TuneState &state) { progress.show(state); }, stop_was_asked);
    progress.clear();
    if (!result) return fail(request.subject.pipeline + ": " + result.error().message, kFailed);
    std::cout << text_of(*result);
    if (!result->interrupted) return 0;
    std::cout << "interrupted; to go on: " << request.command << "\n";
    return kInterrupted;
}

int run(const Arguments &a, const std::string &command) {
    const ToolPaths paths = tool_paths(a.plugins);
    Result<TuneRequest> parsed = request_of(a, paths);
    if (!parsed) return fail(parsed.error().message, kBadUsage);
    TuneRequest request = std::move(parsed).value();
    const Result<std::vector<Subject>> subjects = subjects_of(a, paths, request.device);
    if (!subjects) return fail(subjects.error().message, kBadUsage);
    std::optional<std::string> trace;
    if (!a.trace.empty()) {
        Result<std::string> text = read_file(a.trace);
        if (!text) return fail("--trace: " + text.error().message, kBadUsage);
        trace = std::move(text).value();
    }
    request.command = command;
    request.budget = share_of(request.budget, subjects->size());
    const Result<Ptxas> ptxas = open_ptxas("");
    if (ptxas) request.bench.ptxas = &*ptxas;
    catch_stop_signals();
    int worst = 0;
    for (const Subject &subject : *subjects) {
        request.subject = subject;
        request.bench.folder = request.folder + "/work-" + export_name(subject);
        worst = std::max(worst, trace ? show_again(request, *trace) : tune_one(request));
        if (stop_was_asked()) break;
    }
    return worst;
}

void add_options(CLI::App &app, Arguments &a) {
    app.add_option("--app", a.app, "the application to tune; several with commas between, or all");
    app.add_option("--generator", a.generator,
                   "a generator program of your own, in place of --app");
    app.add_option("--generator-name", a.generator_name,
                   "as it is registered in the program (else: the program's name)");
    app.add_option("--param", a.params, "NAME=VALUE, a parameter of the generator; any number");
    app.add_option("--size", a.size,
                   "of the application, as in its app.json; auto: full on CUDA, reduced on OpenCL, "
                   "where the device may be the CPU")
        ->capture_default_str();
    app.add_option("--mode", a.mode,
                   "one-shot (of 80 schedules, the one that the cost model likes best), top5 (the "
                   "five best are measured) or autotune (all are, and the model is retrained, 20 "
                   "times); default autotune");
    app.add_option("--strategy", a.strategy,
                   "batch, or coordinate_descent: one decision at a time, from the best of the "
                   "batch if --mode is given, else from the best that is known")
        ->capture_default_str();
    app.add_option("--trace", a.trace,
                   "a schedule's trace: nothing is tuned, the schedule is made again, verified and "
                   "exported");
    app.add_option(
        "--budget", a.budget,
        "time (30m, 2h), trials (400t) or both (2h,400t); else as long as the mode takes");
    app.add_option("--device", a.device, "cuda, opencl, or replay:FILE of records")
        ->capture_default_str();
    app.add_option("--records", a.records,
                   "what was measured, by this and all earlier calls; a call goes on from there")
        ->capture_default_str();
    app.add_option("--export", a.out, "folder of the results")->required();
    app.add_option("--seed", a.seed, "of the draws")->capture_default_str();
    app.add_option("--batch", a.batch, "schedules of a batch")
        ->capture_default_str()
        ->check(CLI::Range(1, 100'000));
    app.add_option("--iterations", a.iterations, "batches of the mode autotune")
        ->capture_default_str()
        ->check(CLI::Range(1, 10'000));
    app.add_option("--sampler", a.sampler,
                   "how schedules are drawn: paper (a beam search and greedy ones), or mixed (with "
                   "decisions at random)")
        ->capture_default_str();
    app.add_option("--weights", a.weights, "of a trained network, to begin with")
        ->check(CLI::ExistingFile);
    app.add_flag("--queue", a.queue,
                 "leave the measuring to workers: autotune worker --records FILE, as many as you "
                 "like, on any machine that sees the file");
    add_trial_options(app, a);
}

}  // namespace

int main(int argc, char **argv) {
    if (argc > 1 && std::string(argv[1]) == "worker") return autotune_worker(argc - 1, argv + 1);
    CLI::App app(
        "Tunes the schedule of a pipeline by measuring many. Everything that is measured is kept "
        "in\n"
        "--records; the same command goes on where it was ended. The winner is in --export, as a\n"
        "schedule header, a trace and a command, and is never slower than without tuning.\n"
        "Ctrl-C ends with the best so far, a second one at once.\n"
        "autotune worker --help: measuring on many machines.\n"
        "Exit status: 0 done, 1 failed, 2 bad usage, 130 interrupted.");
    Arguments arguments;
    add_options(app, arguments);
    show_errors_in_one_line(app, "autotune");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : kBadUsage;
    }
    return run(arguments, command_text("autotune", argc, argv));
}
