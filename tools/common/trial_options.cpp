#include "common/trial_options.h"

#include "compare/schedulers/toolbox.h"
#include "core/gpu/resolve.h"
#include "core/support/file.h"

namespace autoschedule_gpu {
namespace {

// Returns the GPU as the plugin sees it for the target that the schedules are compiled for.
Result<GpuModel> gpu_for(const TrialOptions &options, RunDevice device) {
    TargetHints hints{.api = device == RunDevice::cuda ? GpuApi::cuda : GpuApi::opencl};
    Result<GpuModel> model = resolve_gpu_model(options.gpu, hints);
    if (!model) return Error{"--gpu: " + model.error().message};
    return model;
}

Result<CompileOverlap> chosen_phases(const TrialOptions &options, RunDevice device) {
    if (options.phases == "alternate") return CompileOverlap::alternate;
    if (options.phases == "overlap") return CompileOverlap::overlap;
    if (options.phases != "auto") {
        return Error{"--phases: expected auto, alternate or overlap, found '" + options.phases +
                     "'"};
    }
    return device == RunDevice::cuda ? CompileOverlap::overlap : CompileOverlap::alternate;
}

}  // namespace

void add_limit_options(CLI::App &app, TrialOptions &o) {
    app.add_option("--compile-timeout", o.timeout_s, "seconds for one generator")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--run-timeout", o.run_timeout_s, "seconds for one schedule on the device")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--plugins", o.plugins, "a folder in which to look for the plugin first");
    add_library_options(app, o);
}

void add_trial_options(CLI::App &app, TrialOptions &o) {
    app.add_option("--gpu", o.gpu, "the GPU to schedule for, as the plugin takes it")
        ->capture_default_str();
    app.add_option("--jobs", o.jobs,
                   "how many schedules are compiled at the same time; 0: one per core")
        ->capture_default_str()
        ->check(CLI::Range(0, 1024));
    app.add_option("--phases", o.phases,
                   "alternate: nothing is compiled while a schedule runs; overlap; auto: alternate "
                   "on OpenCL, where the device may be the CPU")
        ->capture_default_str();
    add_limit_options(app, o);
    app.add_option("--apps-folder", o.apps_folder, "where NAME/app.json are (else: ../apps)");
    app.add_option("--generators", o.generators,
                   "where the programs NAME.generator are (else: beside this one)");
}

Result<Sampler> chosen_sampler(const std::string &sampler, const std::string &weights) {
    const Result<SamplerKind> kind = parse_sampler(sampler);
    if (!kind) return Error{"--sampler: " + kind.error().message};
    Sampler chosen{.kind = *kind};
    if (weights.empty()) return chosen;
    // A worker may be in another folder.
    Result<SamplerWeights> read = sampler_weights(absolute_path(weights));
    if (!read) return Error{"--weights: " + read.error().message};
    chosen.weights = std::move(read).value();
    return chosen;
}

Result<TrialBenchSettings> trial_bench_settings(const TrialOptions &options, const ToolPaths &paths,
                                                RunDevice device) {
    Result<GpuModel> model = gpu_for(options, device);
    if (!model) return model.error();
    const Result<std::string> plugin =
        find_plugin({.plugin_folders = paths.plugin_folders}, "libautoschedule_gpu.so");
    if (!plugin) return plugin.error();
    const Result<std::string> plugins = plugin_argument(options, *plugin);
    if (!plugins) return plugins.error();
    const Result<std::shared_ptr<const api::Executor>> executor = chosen_executor(options);
    if (!executor) return executor.error();
    const Result<CompileOverlap> phases = chosen_phases(options, device);
    if (!phases) return phases.error();
    TrialBenchSettings bench;
    bench.device = device;
    bench.gpu = options.gpu;
    bench.model = std::move(model).value();
    bench.target = halide_target(device, bench.model);
    bench.phases = *phases;
    bench.plugin = *plugins;
    bench.runner = {.program = paths.runner, .executor = *executor};
    bench.limits.generate.timeout = milliseconds(options.timeout_s);
    bench.limits.run_timeout = bench.limits.reference_timeout = milliseconds(options.run_timeout_s);
    return bench;
}

}  // namespace autoschedule_gpu
