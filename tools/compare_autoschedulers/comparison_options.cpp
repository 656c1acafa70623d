#include "compare_autoschedulers/comparison_options.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <utility>

#include "common/device_environment.h"
#include "core/support/file.h"
#include "core/support/split_list.h"
#include "plugins/parameters/parameters.h"

namespace autoschedule_gpu {
namespace {

namespace fs = std::filesystem;

// That every application has these sizes: a name that is wrong would be a row for each.
Status check_sizes(const std::string &option, const std::vector<std::string> &sizes,
                   const ComparisonSettings &settings) {
    for (const Application &application : settings.applications) {
        for (const std::string &size : sizes) {
            const Result<NamedValues> parameters = size_parameters(application, size);
            if (!parameters) return Error{option + ": " + parameters.error().message};
        }
    }
    return Ok{};
}

// What runs is compared at the odd neighbour, too.
std::vector<std::string> sizes_of(const ComparisonSettings &settings) {
    std::vector<std::string> sizes{settings.size};
    if (run_device(settings.device)) sizes.push_back(settings.size + "_odd");
    return sizes;
}

Status check_all_sizes(const ComparisonOptions &options, const ComparisonSettings &settings) {
    if (!options.cross) return check_sizes("--size", sizes_of(settings), settings);
    if (!run_device(settings.device)) {
        return Error{"--cross-resolution runs schedules: give --device opencl or cuda"};
    }
    for (const auto &[option, sizes] :
         {std::pair("--scheduled-for", &options.cross_for), {"--run-at", &options.cross_at}}) {
        const std::vector<std::string> names = split_list(*sizes, ',');
        if (names.empty()) return Error{std::string(option) + ": expected sizes, found none"};
        if (Status there = check_sizes(option, names, settings); !there) return there;
    }
    return Ok{};
}

Status check_record(const ComparisonOptions &options, const ComparisonSettings &settings) {
    if (options.record.empty()) return Ok{};
    if (options.cross) return Error{"--record: --cross-resolution records nothing"};
    if (times_runs(settings)) return Ok{};
    return Error{"--record: nothing is timed with --device " + to_string(settings.device) +
                 "; give --device cuda, or opencl with --opencl-times"};
}

// That this plugin's parameters are right: one that is wrong would be a row for each application.
// What libraries of users may add, models, strategies and rules, the plugin alone knows; and one in
// another folder may have other parameters.
Status check_parameters(const ComparisonOptions &options,
                        const std::vector<SchedulerSpec> &contenders) {
    if (!options.plugins.empty()) return Ok{};
    for (const SchedulerSpec &contender : contenders) {
        if (contender.scheduler != "GPU") continue;
        std::map<std::string, std::string> checked;
        AddedNames added;
        for (const auto &[name, value] : contender.scheduler_params) {
            if (name == "model") added.models.push_back(value);
            if (name == "strategy") added.strategies.push_back(value);
            if (name != "enable_rules" && name != "disable_rules") checked[name] = value;
        }
        if (const auto parsed = parse_parameters(checked, added); !parsed) {
            return Error{"in '" + contender.label + "': " + parsed.error().message};
        }
    }
    return Ok{};
}

}  // namespace

Status check_record_file(const std::string &path) {
    std::error_code ignored;
    if (path.empty()) return Ok{};
    if (!is_there(path)) return can_write_file(path);
    if (access(path.c_str(), W_OK) != 0) return Error{path + ": " + std::strerror(errno)};
    if (!is_regular_file(path) || fs::is_empty(path, ignored)) return Ok{};
    const Result<Replay> earlier = Replay::open(path);
    return earlier ? Status(Ok{}) : earlier.error();
}

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
    app.add_option("--record", a.record,
                   "append run times, and failures on the device, to this file, for --device "
                   "replay:FILE");
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
    if (Status right = check_parameters(options, settings.contenders); !right) {
        return Error{"--schedulers: " + right.error().message};
    }
    const Result<Device> device = parse_device(options.device);
    if (!device) return Error{"--device: " + device.error().message};
    settings.device = *device;
    if (device->kind == DeviceKind::replay) {
        Result<Replay> replay = Replay::open(device->replay_file);
        if (!replay) return Error{"--device: " + replay.error().message};
        settings.replay = std::move(replay).value();
    }
    settings.environment = device_environment(device->kind);
    settings.record_path = options.record;
    settings.times_opencl = options.opencl_times;
    settings.jobs = options.jobs;
    settings.resume = !options.fresh;
    settings.limits.generate.timeout = milliseconds(options.timeout_s);
    settings.limits.run_timeout = milliseconds(options.run_timeout_s);
    if (Status sound = check_all_sizes(options, settings); !sound) return sound.error();
    if (Status sound = check_record(options, settings); !sound) return sound.error();
    return settings;
}

}  // namespace autoschedule_gpu
