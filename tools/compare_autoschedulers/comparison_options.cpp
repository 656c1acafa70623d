#include "compare_autoschedulers/comparison_options.h"

#include <utility>

namespace autoschedule_gpu {

void add_comparison_options(CLI::App &app, ComparisonOptions &a) {
    add_application_options(app, a);
    app.add_option("--schedulers", a.schedulers,
                   "of gpu (this plugin), root (its plain schedule), manual, anderson2021, "
                   "mullapudi2016, li2018; parameters as in gpu:beam_size=1:seed=3")
        ->capture_default_str();
    app.add_option("--device", a.device, "none, opencl, cuda, or replay:FILE (see --record)")
        ->capture_default_str();
    add_search_options(
        app, a,
        {.size = "full or reduced (any size of app.json that has an _odd one)",
         .repeats = "searches (of those under 30 s) and rounds of timed runs, per scheduler",
         .timeout = "seconds for one generator"});
    app.add_option("--run-timeout", a.run_timeout_s, "seconds for one run of a pipeline")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--jobs", a.jobs,
                   "how many applications are compared at the same time; more than one disturb "
                   "each other's search times")
        ->capture_default_str()
        ->check(CLI::Range(1, 1024));
    app.add_flag("--opencl-times", a.opencl_times,
                 "time runs on OpenCL too (PoCL's times say nothing of a GPU)");
    app.add_option("--record", a.record, "append run times to this file, for --device replay:FILE");
    app.add_option("--notes", a.notes,
                   "JSON: why this plugin loses where it does (apps/losses.json)");
    app.add_flag("--cross-resolution", a.cross,
                 "run schedules made for one size at others instead");
    app.add_option("--scheduled-for", a.cross_for, "sizes, for --cross-resolution")
        ->capture_default_str();
    app.add_option("--run-at", a.cross_at, "sizes, for --cross-resolution")->capture_default_str();
    app.add_option("--plugins", a.plugins, "a folder in which to look for schedulers first");
    app.add_option("--ptxas", a.ptxas, "the program; else as ptxas_report finds it");
}

Result<ComparisonSettings> settings_of(const ComparisonOptions &options, const ToolPaths &paths) {
    ComparisonSettings settings;
    if (Status filled = fill(options, paths, settings); !filled) return filled.error();
    auto contenders = parse_contenders(options.schedulers, options.gpu, settings.model);
    if (!contenders) return Error{"--schedulers: " + contenders.error().message};
    settings.contenders = std::move(contenders).value();
    const Result<Device> device = parse_device(options.device);
    if (!device) return Error{"--device: " + device.error().message};
    settings.device = *device;
    if (device->kind == DeviceKind::replay) {
        Result<Replay> replay = Replay::open(device->replay_file);
        if (!replay) return Error{"--device: " + replay.error().message};
        settings.replay = std::move(replay).value();
    }
    settings.record_path = options.record;
    settings.times_opencl = options.opencl_times;
    settings.jobs = options.jobs;
    settings.resume = !options.fresh;
    settings.limits.generate.timeout = milliseconds(options.timeout_s);
    settings.limits.run_timeout = milliseconds(options.run_timeout_s);
    return settings;
}

}  // namespace autoschedule_gpu
