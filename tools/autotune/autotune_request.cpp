#include "autotune/autotune_request.h"

#include <utility>

#include "core/support/file.h"
#include "core/support/utc_time.h"
#include "lab/build/generator_names.h"
#include "scheduler/model/shipped_weights.h"
#include "tune/run/compiled_for.h"
#include "tune/strategies/added_strategies.h"
#include "tune/strategies/registry.h"

namespace autoschedule_gpu {
namespace {

// Returns a smaller size for CPUs, on which each run of an application at full size takes seconds.
std::string size_of(const AutotuneOptions &a, const Device &device) {
    if (a.size != "auto") return a.size;
    return device.kind == DeviceKind::cuda ? "full" : "reduced";
}

Result<Workload> workload_of_generator(const AutotuneOptions &a) {
    if (a.size != "auto") {
        return Error{
            "--size: a generator of your own has no sizes; give its parameters by --param, "
            "found '" +
            a.size + "'"};
    }
    if (!is_there(a.generator)) return Error{"--generator: there is no " + a.generator};
    const std::string program = absolute_path(a.generator);
    const Result<std::string> name =
        a.generator_name.empty() ? generator_meant(program) : Result(a.generator_name);
    if (!name) return Error{"--generator-name: " + name.error().message};
    Result<Workload> workload = generator_workload(program, *name, a.params);
    if (!workload) return Error{"--param: " + workload.error().message};
    return workload;
}

Result<Device> device_of(const AutotuneOptions &a) {
    Result<Device> device = parse_device(a.device);
    if (!device || device->kind == DeviceKind::none) {
        return Error{"--device: expected cuda, opencl or replay:FILE, found '" + a.device + "'"};
    }
    return device;
}

Result<TuneOptions> tune_options(const AutotuneOptions &a) {
    const Result<TuneMode> mode = parse_tune_mode(a.mode.empty() ? "autotune" : a.mode);
    if (!mode) return Error{"--mode: " + mode.error().message};
    const Result<DescentOrigin> origin = parse_descent_origin(a.origin);
    if (!origin) return Error{"--origin: " + origin.error().message};
    const Result<Sampler> sampler = chosen_sampler(a.sampler, a.weights);
    if (!sampler) return sampler.error();
    return TuneOptions{
        .mode = *mode,
        .batch = a.batch,
        .iterations = a.iterations,
        .seed = a.seed,
        .sampler = *sampler,
        .retraining = {.weights = sampler->weights, .seed = a.seed, .threads = a.jobs},
        .confidence = a.confidence,
        .origin = *origin};
}

// Returns the strategies that there are, those of the user's libraries included.
Result<TuneStrategyRegistry> strategies_with(const LibraryOptions &libraries) {
    TuneStrategyRegistry registry;
    TakenNames taken;
    for (const auto &maker : registry.makers()) taken.tuner_strategies.push_back(maker.name);
    const Result<Extensions> extensions = user_extensions(libraries, taken);
    if (!extensions) return extensions.error();
    for (TuneStrategyMaker &maker : added_tune_strategies(extensions->all())) {
        if (Status added = registry.add(std::move(maker)); !added) return added.error();
    }
    return registry;
}

// As the applications or the user's generator have it.
Result<std::vector<Workload>> described_workloads(const AutotuneOptions &a, const ToolPaths &paths,
                                                  const Device &device) {
    if (!a.generator.empty()) {
        Result<Workload> workload = workload_of_generator(a);
        if (!workload) return workload.error();
        return std::vector<Workload>{std::move(workload).value()};
    }
    const Result<std::vector<Application>> all = chosen_applications(a, paths);
    if (!all) return all.error();
    const Result<std::vector<Application>> chosen = choose_applications(*all, a.app);
    if (!chosen) return Error{"--app: " + chosen.error().message};
    std::vector<Workload> workloads;
    for (const Application &application : *chosen) {
        Result<Workload> workload = workload_at(application, size_of(a, device));
        if (!workload) return Error{"--size: " + workload.error().message};
        workloads.push_back(std::move(workload).value());
    }
    return workloads;
}

}  // namespace

Result<TuneStrategies> strategies_of(const AutotuneOptions &a) {
    constexpr std::string_view kBatch = "batch";
    const Result<TuneOptions> options = tune_options(a);
    if (!options) return options.error();
    std::vector<std::string_view> names = {a.strategy};
    if (!a.mode.empty() && a.strategy != kBatch) names.insert(names.begin(), kBatch);
    const Result<TuneStrategyRegistry> registry = strategies_with(a);
    if (!registry) return registry.error();
    TuneStrategies strategies;
    for (std::string_view name : names) {
        const Result<TuneStrategyMaker> maker = registry->find(name);
        if (!maker) return Error{"--strategy: " + maker.error().message};
        strategies.push_back(maker->make(*options));
    }
    return strategies;
}

Result<std::vector<Workload>> workloads_of(const AutotuneOptions &a, const ToolPaths &paths,
                                           const Device &device) {
    if (a.app.empty() == a.generator.empty()) {
        return Error{"expected --app NAME or --generator PATH, found " +
                     std::string(a.app.empty() ? "neither" : "both")};
    }
    Result<std::vector<Workload>> found = described_workloads(a, paths, device);
    if (!found) return found;
    const Result<InputRanges> inputs = parse_input_ranges(a.inputs);
    if (!inputs) return Error{"--input: " + inputs.error().message};
    std::vector<Workload> workloads = std::move(found).value();
    for (Workload &workload : workloads) {
        if (a.tolerance) workload.tolerance.relative = a.tolerance;
        if (a.integer_steps) workload.tolerance.integer_steps = *a.integer_steps;
        for (const auto &[name, range] : *inputs) workload.inputs[name] = range;
    }
    return workloads;
}

Result<TuneRequest> request_of(const AutotuneOptions &a, const ToolPaths &paths) {
    TuneRequest request{.records = absolute_path(a.records), .seed = a.seed, .jobs = a.jobs};
    Result<Device> device = device_of(a);
    if (!device) return device.error();
    request.device = *device;
    const Result<RunDevice> target = interface_compiled_for(*device);
    if (!target) return Error{"--device: " + target.error().message};
    Result<TrialBenchSettings> bench = trial_bench_settings(a, paths, *target);
    if (!bench) return bench.error();
    request.bench = std::move(bench).value();
    request.bench.traces = Traces::kept;
    if (a.queue) request.measured_by = MeasuredBy::workers;
    Result<std::string> folder = output_folder(a, "--export");
    if (!folder) return folder.error();
    request.folder = std::move(folder).value();
    request.finals.rounds = a.final_rounds;
    Result<TuneStrategies> strategies = strategies_of(a);
    if (!strategies) return strategies.error();
    request.strategies = std::move(strategies).value();
    if (!a.budget.empty()) {
        const Result<Budget> budget = parse_budget(a.budget);
        if (!budget) return Error{"--budget: " + budget.error().message};
        request.budget = *budget;
    }
    Result<ModelChoice> model =
        choose_model("auto", a.weights, request.bench.model, shipped_weights());
    if (!model) return Error{"--weights: " + model.error().message};
    request.model.choice = std::move(model).value();
    if (!a.weights.empty()) {
        request.model.parameters = {{"weights_path", absolute_path(a.weights)}};
    }
    request.halide = AUTOSCHEDULE_GPU_HALIDE_VERSION;
    Result<std::string> version = plugin_version(a, AUTOSCHEDULE_GPU_VERSION);
    if (!version) return version.error();
    request.plugin = std::move(version).value();
    request.date = utc_date_of_today();
    return request;
}

}  // namespace autoschedule_gpu
