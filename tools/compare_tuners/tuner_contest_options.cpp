#include "compare_tuners/tuner_contest_options.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "autotune/autotune_request.h"
#include "common/device_environment.h"
#include "core/support/file.h"
#include "core/support/split_list.h"
#include "tune/strategies/tune_options.h"

namespace autoschedule_gpu {
namespace {

constexpr std::string_view kReplay = "replay:";

// Returns the error with the name that an option has here.
Error renamed(const Error &error, std::string_view option, const std::string &here) {
    if (!error.message.starts_with(option)) return error;
    return Error{here + error.message.substr(option.size())};
}

// Returns the options of a run of a contestant: MODE, STRATEGY or MODE+STRATEGY.
AutotuneOptions options_of(AutotuneOptions each, const std::string &contestant, uint64_t seed) {
    const size_t plus = contestant.find('+');
    const std::string first = contestant.substr(0, plus);
    each.mode = parse_tune_mode(first) ? first : "";
    each.strategy = each.mode.empty() ? contestant : "batch";
    if (!each.mode.empty() && plus != std::string::npos) {
        each.strategy = contestant.substr(plus + 1);
    }
    each.seed = seed;
    return each;
}

Result<std::vector<Contestant>> contestants_of(const TunerContestOptions &options) {
    std::vector<Contestant> contestants;
    for (const std::string &name : split_list(options.strategies, ',')) {
        for (const Contestant &other : contestants) {
            if (other.name == name) return Error{"--strategies: " + name + " is there twice"};
        }
        const AutotuneOptions each = options.each;
        const auto make = [each, name](uint64_t seed) {
            return strategies_of(options_of(each, name, seed));
        };
        if (const Result<TuneStrategies> made = make(0); !made) {
            const Error error = renamed(made.error(), "--strategy:", "--strategies:");
            return Error{error.message + "; modes are one-shot, top5 and autotune"};
        }
        contestants.push_back({.name = name, .strategies = make});
    }
    if (contestants.empty()) return Error{"--strategies: expected names, found none"};
    return contestants;
}

Result<std::vector<uint64_t>> seeds_of(const std::string &text) {
    std::vector<uint64_t> seeds;
    for (const std::string &part : split_list(text, ',')) {
        uint64_t seed = 0;
        const char *end = part.data() + part.size();
        const auto [stop, code] = std::from_chars(part.data(), end, seed);
        const bool is_twice = std::find(seeds.begin(), seeds.end(), seed) != seeds.end();
        if (code != std::errc() || stop != end || is_twice) {
            return Error{"--seeds: expected different numbers such as 1,2,3, found '" + text + "'"};
        }
        seeds.push_back(seed);
    }
    if (seeds.empty()) return Error{"--seeds: expected a number, found none"};
    return seeds;
}

// --fresh would remove the records before they are replayed.
Status check_fresh(const TunerContestOptions &options, const ContestSettings &settings) {
    const Device &device = settings.each.device;
    if (!options.fresh || device.kind != DeviceKind::replay) return Ok{};
    namespace fs = std::filesystem;
    const Result<std::string> folder = canonical_path(settings.folder);
    if (!folder) return Error{"--out: " + folder.error().message};
    const Result<std::string> file = canonical_path(device.replay_file);
    if (!file) return Error{"--device: " + file.error().message};
    const fs::path removed = fs::path(*folder) / "runs", replayed = *file;
    if (std::ranges::mismatch(removed, replayed).in1 != removed.end()) return Ok{};
    return Error{"--fresh: it would remove what --device replays, " + replayed.string() +
                 "; give another folder as --out"};
}

// A number alone is one of trials.
std::string budget_text(const std::string &text) {
    const bool is_number = text.find_first_not_of("0123456789") == std::string::npos;
    return is_number && !text.empty() ? text + "t" : text;
}

}  // namespace

void add_tuner_contest_options(CLI::App &app, TunerContestOptions &o) {
    app.add_option("--strategies", o.strategies,
                   "with commas between: the modes one-shot, top5 and autotune, strategies of "
                   "autotune, or both as in top5+coordinate_descent")
        ->capture_default_str();
    app.add_option("--apps", o.each.app, "all, or names with commas between");
    app.add_option("--budget", o.each.budget,
                   "of each run: trials (80), a time (10m) or both (10m,80t)");
    app.add_option("--seeds", o.seeds, "with commas between")->capture_default_str();
    app.add_option("--out", o.each.out,
                   "folder of the results; goes on where an earlier call stopped")
        ->required();
    app.add_option("--device", o.each.device,
                   "cuda, opencl, or replay:FILE of records, or replay:FOLDER of an earlier call")
        ->capture_default_str();
    auto *fresh = app.add_flag("--fresh", o.fresh, "measure anew what earlier calls left in --out");
    app.add_flag("--show", o.show,
                 "run nothing: write the results anew of the runs that are complete in --out, "
                 "whatever they were made with")
        ->excludes(fresh);
    add_tuning_options(app, o.each);
}

Result<ContestSettings> contest_settings_of(const TunerContestOptions &options,
                                            const ToolPaths &paths) {
    if (options.each.app.empty()) return Error{"--apps is required"};
    if (options.each.budget.empty()) return Error{"--budget is required"};
    ContestSettings settings;
    AutotuneOptions each = options.each;
    each.budget = budget_text(each.budget);
    if (each.device.starts_with(kReplay) && is_folder(each.device.substr(kReplay.size()))) {
        settings.replayed_folder = absolute_path(each.device.substr(kReplay.size()));
        const Result<std::string> records = any_records_of_contest(settings.replayed_folder);
        if (!records) return Error{"--device: " + records.error().message};
        each.device = std::string(kReplay) + *records;
    }
    Result<std::vector<Contestant>> contestants = contestants_of(options);
    if (!contestants) return contestants.error();
    settings.contestants = std::move(contestants).value();
    Result<std::vector<uint64_t>> seeds = seeds_of(options.seeds);
    if (!seeds) return seeds.error();
    settings.seeds = std::move(seeds).value();
    Result<TuneRequest> request = request_of(each, paths);
    if (!request) return renamed(request.error(), "--export:", "--out:");
    settings.each = std::move(request).value();
    settings.folder = settings.each.folder;
    settings.environment = device_environment(settings.each.device.kind);
    Result<std::vector<Workload>> workloads = workloads_of(each, paths, settings.each.device);
    if (!workloads) return renamed(workloads.error(), "--app:", "--apps:");
    settings.workloads = std::move(workloads).value();
    if (Status sound = check_fresh(options, settings); !sound) return sound.error();
    return settings;
}

}  // namespace autoschedule_gpu
