#include "tune/contest/contest.h"

#include <bit>
#include <cctype>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "core/support/file.h"
#include "core/support/hash.h"
#include "core/support/hex.h"
#include "tune/contest/contest_left.h"
#include "tune/contest/run_clock.h"
#include "tune/session/journal.h"

namespace autoschedule_gpu {
namespace {

namespace fs = std::filesystem;

// One run before it is made.
struct Entry {
    const Contestant *contestant;
    TuneRequest request;
    std::string app, folder, name;
};

// As a name of a folder: generators take no path with '=' in it.
std::string file_name(std::string text) {
    for (char &c : text) {
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') c = '_';
    }
    return text;
}

Result<Entry> entry_of(const ContestSettings &settings, const Contestant &contestant,
                       const Workload &workload, uint64_t seed) {
    Entry entry{.contestant = &contestant,
                .request = settings.each,
                .app = export_name(workload),
                .folder = {},
                .name = {}};
    entry.name =
        "runs/" + file_name(entry.app + "-" + contestant.name + "-" + std::to_string(seed));
    entry.folder = settings.folder + "/" + entry.name;
    Result<TuneStrategies> strategies = contestant.strategies(seed);
    if (!strategies) return strategies.error();
    entry.request.strategies = std::move(strategies).value();
    entry.request.workload = workload;
    entry.request.seed = seed;
    entry.request.folder = entry.folder;
    entry.request.bench.folder = entry.folder + "/work";
    entry.request.records = entry.folder + "/tuned.records";
    entry.request.earlier = EarlierRuns::ignored;
    if (!settings.replayed_folder.empty()) {
        entry.request.device.replay_file =
            settings.replayed_folder + "/" + entry.name + "/tuned.records";
    }
    return entry;
}

// For all seeds first what one seed says of all.
Result<std::vector<Entry>> entries_of(const ContestSettings &settings) {
    std::vector<Entry> entries;
    for (const uint64_t seed : settings.seeds) {
        for (const Workload &workload : settings.workloads) {
            for (const Contestant &contestant : settings.contestants) {
                Result<Entry> entry = entry_of(settings, contestant, workload, seed);
                if (!entry) return entry.error();
                entries.push_back(std::move(entry).value());
            }
        }
    }
    return entries;
}

// Unlike session_id, it tells budgets, devices and weights apart. Tolerances are there twice: files
// of contests that were begun before hold it so.
std::string settings_of(const TuneRequest &request) {
    Hasher hasher;
    hasher.add(session_id(request)).add(to_string(request.budget));
    hasher.add(static_cast<uint64_t>(request.device.kind)).add(request.device.replay_file);
    hasher.add(static_cast<uint64_t>(request.finals.rounds));
    hasher.add(request.halide).add(request.plugin);
    hasher.add(hash_of_weights(request));
    const Tolerance &tolerance = request.workload.tolerance;
    hasher.add(std::bit_cast<uint64_t>(tolerance.relative.value_or(-1)));
    hasher.add(static_cast<uint64_t>(tolerance.integer_steps));
    return to_hex(hasher.value());
}

// Of the trials alone: how long their finals are changes neither them nor their times, nor does for
// most strategies how many there are.
std::string trial_settings_of(TuneRequest request) {
    const bool go_by_budget = std::ranges::any_of(
        request.strategies, [&](const auto &one) { return one->goes_by(request.budget); });
    if (!go_by_budget) request.budget = {};
    request.finals = {};
    return settings_of(request);
}

// Nothing if it has not been made with these settings.
std::optional<ContestRun> complete_run(const Entry &entry) {
    const Result<std::string> text = read_file(entry.folder + "/run.json");
    if (!text) return std::nullopt;
    Result<ContestRun> run = parse_contest_run(*text);
    if (!run || run->settings != settings_of(entry.request)) return std::nullopt;
    return std::move(run).value();
}

VerifiedTime verified(const Finalist &finalist) {
    return {.median_ms = finalist.median_ms,
            .low_ms = finalist.interval_ms.low,
            .high_ms = finalist.interval_ms.high};
}

void add_trials(const Journal &journal, const RunClock &clock, ContestRun &run) {
    std::set<std::string> codes;
    bool is_retrained = false;
    for (const Journal::Event &event : journal.events()) {
        is_retrained |= event.at("event") == "retrained";
        if (event.at("event") != "trial") continue;
        codes.insert(event.at("code_hash").get<std::string>());
        if (event.at("outcome") != "measured") continue;
        const int trials = event.at("number").get<int>() + 1;
        const double best_ms = event.at("best_ms");
        if (run.course.empty() || best_ms < run.course.back().best_ms) {
            run.course.push_back(
                {.trials = trials, .seconds = clock.seconds_at(trials), .best_ms = best_ms});
        }
        if (event.at("predicted_ms").is_null()) continue;
        (is_retrained ? run.retrained : run.untrained)
            .push_back(
                {.predicted_ms = event.at("predicted_ms"), .measured_ms = event.at("median_ms")});
    }
    codes.erase(to_hex(uint64_t{0}));
    run.different = static_cast<int>(codes.size());
}

Result<ContestRun> run_of(const Entry &entry, const TuneResult &result, const RunClock &clock) {
    const Result<Journal> journal =
        Journal::read(entry.folder + "/" + entry.app + ".journal.jsonl");
    if (!journal) return journal.error();
    ContestRun run{.app = entry.app,
                   .strategy = entry.contestant->name,
                   .seed = entry.request.seed,
                   .settings = settings_of(entry.request),
                   .size = result.pipeline.size,
                   .device = result.environment.device,
                   .trials = result.state.trials,
                   .measured = result.state.measured,
                   .failed = result.state.failed,
                   .seconds = clock.seconds_at(result.state.trials),
                   .build_s = result.state.price_s + result.state.build_s,
                   .run_s = result.state.run_s,
                   .train_s = result.state.train_s,
                   .best = verified(result.best),
                   .winner = result.winner};
    if (result.usual) run.untuned = verified(*result.usual);
    add_trials(*journal, clock, run);
    return run;
}

// With what SQLite has beside them.
Status set_records_aside(const Entry &entry) {
    for (const char *beside : {"", "-wal", "-shm", "-journal"}) {
        const std::string from = entry.request.records + beside;
        const std::string to = entry.folder + "/earlier.records" + beside;
        remove_file(to);  // of other records still
        if (!is_there(from)) continue;
        std::error_code error;
        fs::rename(from, to, error);
        if (error) return Error{from + ": can't be renamed: " + error.message()};
    }
    return Ok{};
}

// Where there are times of trials under other settings, the clock begins anew, and what is known of
// these trials would take no time by it: their records go together with their times.
Result<RunClock> clock_that_runs(const Entry &entry) {
    const std::string times = entry.folder + "/times.json";
    const bool is_resumed = is_there(times);
    Result<RunClock> clock = RunClock::open(times, trial_settings_of(entry.request));
    if (!clock || !is_resumed || !clock->is_new()) return clock;
    if (Status aside = set_records_aside(entry); !aside) return aside.error();
    remove_file(times);
    return clock;
}

// A replay has the times of what it replays, where these are known.
Result<RunClock> clock_of(const ContestSettings &settings, const Entry &entry) {
    if (entry.request.device.kind != DeviceKind::replay) return clock_that_runs(entry);
    return RunClock::read(settings.replayed_folder + "/" + entry.name + "/times.json");
}

class Contest {
public:
    Contest(const ContestSettings &settings, std::vector<Entry> entries,
            const std::function<void(const ContestProgress &)> &progress,
            const std::function<bool()> &stop)
        : settings_(settings), entries_(std::move(entries)), progress_(progress), stop_(stop) {
        for (const Entry &entry : entries_) known_.push_back(complete_run(entry));
        for (const auto &run : known_) to_do_ += run ? 0 : 1;
    }

    Result<ContestResult> hold(const std::function<Status(const ContestResult &)> &show) {
        for (size_t i = 0; i < entries_.size(); ++i) {
            if (known_[i]) {
                result_.runs.push_back(*known_[i]);
                continue;
            }
            if (Status done = make(entries_[i]); !done) return done.error();
            if (result_.interrupted) break;
            ++done_;
            if (Status shown = show(result_); !shown) return shown.error();
        }
        if (Status shown = show(result_); !shown) return shown.error();
        return std::move(result_);
    }

private:
    Status make(const Entry &entry) {
        std::error_code error;
        fs::create_directories(entry.folder, error);
        if (error) return Error{entry.folder + ": can't be made: " + error.message()};
        Result<RunClock> opened = clock_of(settings_, entry);
        if (!opened) return opened.error();
        RunClock clock = std::move(opened).value();
        Status noted = Ok{};
        TuneRequest request = entry.request;
        request.used_s = clock.used_s();
        const Result<TuneResult> result = tune_pipeline(
            request,
            [&](const TuneState &state) {
                if (noted && !state.is_at_its_end) noted = clock.tell(state.trials);
                tell(entry, state, clock.seconds_at(state.trials));
            },
            stop_);
        remove_folder(entry.request.bench.folder);
        if (!noted) return noted;
        if (stop_ && stop_()) {
            result_.interrupted = true;
            return Ok{};
        }
        if (!result) {
            result_.failed.push_back(entry.name + ": " + result.error().message);
            return Ok{};
        }
        Result<ContestRun> run = run_of(entry, *result, clock);
        if (!run) return run.error();
        result_.runs.push_back(std::move(run).value());
        return write_file(entry.folder + "/run.json", to_json(result_.runs.back()) + "\n");
    }

    void tell(const Entry &entry, const TuneState &state, double so_far_s) const {
        if (!progress_) return;
        const int of_a_run = settings_.each.budget.trials.value_or(1);
        const int of_this = settings_.each.budget.trials ? state.trials : 0;
        progress_({.done = done_ * of_a_run + std::min(of_this, of_a_run),
                   .total = to_do_ * of_a_run,
                   .left_s = contest_left_s(
                       result_.runs,
                       {.so_far_s = so_far_s, .left_s = state.left_s, .runs = to_do_ - done_ - 1}),
                   .doing = entry.app + " " + entry.contestant->name + ", seed " +
                            std::to_string(entry.request.seed) + ": " + state.doing});
    }

    const ContestSettings &settings_;
    std::vector<Entry> entries_;
    std::vector<std::optional<ContestRun>> known_;  // of each entry
    const std::function<void(const ContestProgress &)> &progress_;
    const std::function<bool()> &stop_;
    int done_ = 0, to_do_ = 0;  // runs of this call
    ContestResult result_;
};

}  // namespace

Result<ContestResult> hold_contest(const ContestSettings &settings,
                                   const std::function<void(const ContestProgress &)> &progress,
                                   const std::function<bool()> &stop,
                                   const std::function<Status(const ContestResult &)> &show) {
    Result<std::vector<Entry>> entries = entries_of(settings);
    if (!entries) return entries.error();
    return Contest(settings, std::move(entries).value(), progress, stop).hold(show);
}

Result<std::string> any_records_of_contest(const std::string &folder) {
    std::set<std::string> found;
    std::error_code error;
    for (fs::directory_iterator i(folder + "/runs", error), end; !error && i != end;
         i.increment(error)) {
        const std::string records = (i->path() / "tuned.records").string();
        if (is_there(records)) found.insert(records);
    }
    if (found.empty())
        return Error{folder + ": expected records of a contest in its runs/, found none"};
    return *found.begin();
}

}  // namespace autoschedule_gpu
