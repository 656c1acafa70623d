#include "tune/contest/contest.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "core/support/file.h"
#include "tune/contest/contest_left.h"
#include "tune/contest/run_clock.h"
#include "tune/contest/run_course.h"
#include "tune/contest/run_settings.h"
#include "tune/contest/runs_so_far.h"
#include "tune/session/journal.h"

namespace autoschedule_gpu {
namespace {

namespace fs = std::filesystem;

// One run before it is made.
struct Entry {
    const Contestant *contestant;
    TuneRequest request;
    std::string app, folder, name;
    std::string settings, trial_settings;  // as they are before it is made
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
                .name = {},
                .settings = {},
                .trial_settings = {}};
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
    entry.settings = settings_of(entry.request, settings.environment);
    entry.trial_settings = trial_settings_of(entry.request, settings.environment);
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

std::string run_file(const Entry &entry) {
    return entry.folder + "/run.json";
}

// Nothing if it has not been made with these settings.
std::optional<ContestRun> complete_run(const Entry &entry) {
    const Result<std::string> text = read_file(run_file(entry));
    if (!text) return std::nullopt;
    Result<ContestRun> run = parse_contest_run(*text);
    if (!run || run->settings != entry.settings) return std::nullopt;
    return std::move(run).value();
}

std::vector<std::optional<ContestRun>> complete_runs(const std::vector<Entry> &entries) {
    std::vector<std::optional<ContestRun>> runs;
    for (const Entry &entry : entries) runs.push_back(complete_run(entry));
    return runs;
}

VerifiedTime verified(const Finalist &finalist) {
    return {.median_ms = finalist.median_ms,
            .low_ms = finalist.interval_ms.low,
            .high_ms = finalist.interval_ms.high};
}

// What ended a run before its end, though it may have found something: such a run has not had the
// budget of the others.
const Error *error_of(const Result<TuneResult> &result) {
    if (!result) return &result.error();
    return result->error ? &*result->error : nullptr;
}

Result<ContestRun> run_of(const Entry &entry, const TuneResult &result, const RunClock &clock) {
    const Result<Journal> journal =
        Journal::read(entry.folder + "/" + entry.app + ".journal.jsonl");
    if (!journal) return journal.error();
    ContestRun run{.app = entry.app,
                   .strategy = entry.contestant->name,
                   .seed = entry.request.seed,
                   .settings = entry.settings,
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
    add_course(*journal, clock, run);
    return run;
}

// With what SQLite has beside them.
Status set_records_aside(const Entry &entry) {
    if (!is_there(entry.request.records)) return Ok{};
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

// Where the clock begins anew, what the records hold would take no time by it: so they go together
// with the times of their trials.
Result<RunClock> clock_that_runs(const Entry &entry) {
    const std::string times = entry.folder + "/times.json";
    Result<RunClock> clock = RunClock::open(times, entry.trial_settings);
    if (!clock) return clock;
    if (!clock->is_new() && !entry.request.budget.seconds) return clock;
    if (Status aside = set_records_aside(entry); !aside) return aside.error();
    remove_file(times);
    return RunClock::open(times, entry.trial_settings);
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
        : settings_(settings),
          entries_(std::move(entries)),
          progress_(progress),
          stop_(stop),
          runs_(complete_runs(entries_)) {
        update_result();
    }

    Result<ContestResult> hold(const std::function<Status(const ContestResult &)> &show) {
        while (const std::optional<size_t> next = runs_.next()) {
            if (Status done = make(*next); !done) return done.error();
            if (result_.interrupted) break;
            ++done_;
            update_result();
            if (Status shown = show(result_); !shown) return shown.error();
        }
        if (Status shown = show(result_); !shown) return shown.error();
        return std::move(result_);
    }

private:
    Status make(size_t place) {
        const Entry &entry = entries_[place];
        std::error_code error;
        fs::create_directories(entry.folder, error);
        if (error) return Error{entry.folder + ": can't be made: " + error.message()};
        Result<RunClock> opened = clock_of(settings_, entry);
        if (!opened) return opened.error();
        RunClock clock = std::move(opened).value();
        Status noted = Ok{};
        const Result<TuneResult> result = tune_pipeline(
            entry.request,
            [&](const TuneState &state) {
                clock.run_on(state.device);
                const bool is_of_trials = !state.is_at_its_end && state.built == 0;
                if (noted && is_of_trials) noted = clock.tell(state.trials);
                tell(entry, state, clock.seconds_at(state.trials));
            },
            stop_);
        remove_folder(entry.request.bench.folder);
        if (!noted) return noted;
        result_.interrupted = stop_ && stop_();
        return result_.interrupted ? Status(Ok{}) : add(place, result, clock);
    }

    Status add(size_t place, const Result<TuneResult> &result, const RunClock &clock) {
        const Entry &entry = entries_[place];
        const Error *const error = error_of(result);
        if (error != nullptr) {
            runs_.add(place, FailedRun{.app = entry.app,
                                       .strategy = entry.contestant->name,
                                       .seed = entry.request.seed,
                                       .why = error->message});
            return Ok{};
        }
        const Result<ContestRun> run = run_of(entry, *result, clock);
        if (!run) return run.error();
        // First those of another device, which the next call would take for complete.
        for (const size_t other : runs_.add(place, *run)) remove_file(run_file(entries_[other]));
        return write_file(run_file(entry), to_json(*run) + "\n");
    }

    void tell(const Entry &entry, const TuneState &state, double so_far_s) const {
        if (!progress_) return;
        const int of_a_run = settings_.each.budget.trials.value_or(1);
        const int of_this = settings_.each.budget.trials ? state.trials : 0;
        const int to_come = runs_.to_come();
        progress_(
            {.done = done_ * of_a_run + std::min(of_this, of_a_run),
             .total = (done_ + to_come) * of_a_run,
             .left_s = contest_left_s(
                 result_.runs, {.so_far_s = so_far_s, .left_s = state.left_s, .runs = to_come - 1}),
             .doing = entry.app + " " + entry.contestant->name + ", seed " +
                      std::to_string(entry.request.seed) + ": " + state.doing});
    }

    void update_result() {
        result_.runs = runs_.made();
        result_.failed = runs_.failed();
    }

    const ContestSettings &settings_;
    std::vector<Entry> entries_;
    const std::function<void(const ContestProgress &)> &progress_;
    const std::function<bool()> &stop_;
    RunsSoFar runs_;  // of the entries
    int done_ = 0;    // runs of this call
    ContestResult result_;
};

// The folders of its runs, sorted.
std::vector<fs::path> folders_of_runs(const std::string &folder) {
    std::set<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator i(folder + "/runs", error), end; !error && i != end;
         i.increment(error)) {
        found.insert(i->path());
    }
    return {found.begin(), found.end()};
}

}  // namespace

Result<ContestResult> hold_contest(const ContestSettings &settings,
                                   const std::function<void(const ContestProgress &)> &progress,
                                   const std::function<bool()> &stop,
                                   const std::function<Status(const ContestResult &)> &show) {
    Result<std::vector<Entry>> entries = entries_of(settings);
    if (!entries) return entries.error();
    return Contest(settings, std::move(entries).value(), progress, stop).hold(show);
}

Result<std::vector<ContestRun>> complete_runs_of(const std::string &folder) {
    std::vector<ContestRun> runs;
    for (const fs::path &of_run : folders_of_runs(folder)) {
        const std::string path = (of_run / "run.json").string();
        if (!is_there(path)) continue;
        const Result<std::string> text = read_file(path);
        if (!text) return text.error();
        Result<ContestRun> run = parse_contest_run(*text);
        if (!run) return Error{path + ": " + run.error().message};
        runs.push_back(std::move(run).value());
    }
    if (runs.empty())
        return Error{folder + ": expected complete runs of a contest in its runs/, found none"};
    return runs;
}

Result<std::string> any_records_of_contest(const std::string &folder) {
    for (const fs::path &of_run : folders_of_runs(folder)) {
        const std::string records = (of_run / "tuned.records").string();
        if (is_there(records)) return records;
    }
    return Error{folder + ": expected records of a contest in its runs/, found none"};
}

}  // namespace autoschedule_gpu
