#include "tune/run/tuning_run.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <memory>
#include <utility>

#include "core/support/file.h"
#include "core/support/hash.h"
#include "core/support/hex.h"
#include "lab/records/best_records.h"
#include "lab/records/record_store.h"
#include "present/table_parts.h"
#include "scheduler/model/weights_file.h"
#include "tune/executors/device_executor.h"
#include "tune/executors/queue_executor.h"
#include "tune/executors/replay_executor.h"
#include "tune/run/page.h"
#include "tune/run/trial_words.h"
#include "tune/run/tuner.h"

namespace autoschedule_gpu {
namespace {

namespace fs = std::filesystem;

// Makes the folder of the results, too.
Result<std::unique_ptr<TrialBench>> open_bench(const TuneRequest &request) {
    std::error_code error;
    fs::create_directories(request.folder, error);
    if (error) return Error{request.folder + ": can't be made: " + error.message()};
    auto bench = TrialBench::open(request.bench, request.workload);
    if (!bench) return Error{bench.error().reason};
    return std::move(bench).value();
}

// Whether the records can be opened, before anything is compiled.
Status check_records(const TuneRequest &request) {
    const bool is_replay = request.device.kind == DeviceKind::replay;
    const Result<RecordStore> store =
        is_replay ? RecordStore::open(request.device.replay_file, StoreAccess::read_only)
                  : RecordStore::open(request.records, StoreAccess::read_write);
    if (!store) return store.error();
    return Ok{};
}

// Replay works on a copy of the records, for what it compiles is noted, too.
Result<RecordStore> open_store(const TuneRequest &request) {
    if (request.device.kind != DeviceKind::replay) {
        return RecordStore::open(request.records, StoreAccess::read_write);
    }
    const std::string copy = request.bench.folder + "/replayed.records";
    Result<RecordStore> store = RecordStore::open(copy, StoreAccess::read_write);
    if (!store) return store;
    RecordStore opened = std::move(store).value();
    const Result<MergeCounts> merged = opened.merge_from(request.device.replay_file);
    if (!merged) return merged.error();
    return opened;
}

// As a pointer to the interface.
template <typename Special>
Result<std::unique_ptr<Executor>> as_executor(Result<std::unique_ptr<Special>> special) {
    if (!special) return special.error();
    return std::unique_ptr<Executor>(std::move(special).value());
}

// Nothing where the user asks for the end before a worker has come.
Result<std::unique_ptr<Executor>> open_executor(
    const TuneRequest &request, const TuneContext &context,
    const std::function<void(const TuneState &)> &progress, const std::function<bool()> &stop) {
    const std::string session = session_id(request);
    if (request.device.kind == DeviceKind::replay) {
        return as_executor(ReplayExecutor::open(session, request.halide, context));
    }
    if (request.measured_by == MeasuredBy::workers) {
        const auto tell = [progress](const std::string &what) {
            if (progress) progress({.doing = what});
        };
        return as_executor(
            QueueExecutor::open({.session = session, .stop = stop, .waits = tell}, context));
    }
    return as_executor(DeviceExecutor::open(
        {.session = session, .halide = request.halide, .plugin = request.plugin, .stop = stop},
        context));
}

RecordFilter filter_of(const TunedPipeline &tuned, const Tolerance &tolerance) {
    const Environment &e = tuned.environment;
    return {.pipeline_hash = tuned.pipeline.hash,
            .device = e.device,
            .driver = e.driver,
            .gpu = e.gpu,
            .halide = e.halide,
            .tolerance = tolerance};
}

// The record that a run begins with, if any.
using Start = std::optional<TuningRecord>;

// The best that other runs have found.
Result<Start> find_start(const TuneRequest &request, const TunedPipeline &tuned,
                         RecordStore &store) {
    RecordFilter filter = filter_of(tuned, request.workload.tolerance);
    filter.not_of_session = session_id(request);
    Result<std::vector<Champion>> champions = find_champions(store, filter);
    if (!champions) return champions.error();
    if (champions->empty() || champions->front().record.trace.empty()) return Start();
    return Start(std::move(champions->front().record));
}

// What a run begins with is noted as a draw of a name of its own: in its finals it measures the
// others' records again, so that another of them may be the best when the same command goes on.
Result<Start> noted_start(const TuneRequest &request, const TunedPipeline &tuned,
                          RecordStore &store) {
    const DrawKey key{.pipeline_hash = tuned.pipeline.hash,
                      .environment = tuned.environment,
                      .draw = std::string(kStartOfRun) + session_id(request)};
    const auto noted = store.find_draw(key);
    if (!noted) return noted.error();
    if (*noted && !**noted) return Start();
    if (*noted) {
        Result<Start> found = store.find(key_of(tuned.pipeline.hash, tuned.environment, ***noted));
        if (!found || *found) return found;  // else it was removed since
    }
    Result<Start> start = find_start(request, tuned, store);
    if (!start) return start;
    Outcome<uint64_t> code = Failure{.kind = FailureKind::search, .reason = "no other run"};
    if (*start) code = (*start)->code_hash;
    const Result<bool> added = store.note_draw({.key = key, .code_hash = code});
    if (!added) return added.error();
    return start;
}

Result<std::vector<ScheduleRequest>> best_of_others(const TuneRequest &request,
                                                    const Executor &executor, RecordStore &store) {
    if (request.earlier == EarlierRuns::ignored) return std::vector<ScheduleRequest>();
    const Result<Start> start = noted_start(request, executor.tuned(), store);
    if (!start) return start.error();
    if (!*start) return std::vector<ScheduleRequest>();
    const TuningRecord *const best = &**start;
    // A list of decisions is as good as the trace, and can be gone on from.
    const bool has_list = !best->decisions.empty();
    return std::vector<ScheduleRequest>{
        {.schedule = "record " + to_hex(best->code_hash),
         .scheduler_params = {},
         .files = {{has_list ? "decisions" : "trace", has_list ? best->decisions : best->trace}}}};
}

// Who is exported.
struct Winner {
    Trial trial = {};
    Finalist best = {};
    double chance_of_luck = 1;
    FoundBy found_by = FoundBy::this_run;
};

Winner winner_of_finals(const Session &session, const Finals &finals) {
    return {.trial = session.trials()[finals.best().trial],
            .best = finals.best(),
            .chance_of_luck = finals.chance_of_luck};
}

Winner winner_of_records(const Champion &champion) {
    const TuningRecord &record = champion.record;
    return {.trial = {.draw = request_of_trace(record.found_by, record.trace),
                      .code_hash = record.code_hash,
                      .trace = record.trace,
                      .decisions = record.decisions,
                      .samples_ms = record.samples_ms},
            .best = {.samples_ms = champion.times_ms,
                     .median_ms = champion.median_ms,
                     .interval_ms = median_interval(champion.times_ms)},
            .chance_of_luck = champion.chance_of_luck,
            .found_by = FoundBy::earlier_run};
}

// That of the records, whose finals may be others than those of the run: a run that is ended early
// has none. A run by itself, as replays are, goes by its own.
Result<Winner> winner_of(const TuneRequest &request, RecordStore &store, const Session &session,
                         const Finals &finals) {
    Winner own = winner_of_finals(session, finals);
    const bool is_by_itself =
        request.earlier == EarlierRuns::ignored || request.device.kind == DeviceKind::replay;
    if (is_by_itself) return own;
    const auto champions = find_champions(
        store, filter_of(session.parts().executor.tuned(), request.workload.tolerance));
    if (!champions) return champions.error();
    if (champions->empty()) return own;
    const Champion &champion = champions->front();
    const uint64_t code = champion.record.code_hash;
    if (code == own.trial.code_hash || champion.record.trace.empty()) return own;
    for (const Finalist &finalist : finals.finalists) {
        const Trial &trial = session.trials()[finalist.trial];
        if (trial.code_hash != code) continue;
        return Winner{.trial = trial, .best = finalist, .chance_of_luck = champion.chance_of_luck};
    }
    return winner_of_records(champion);
}

Journal::Event finalist_json(const Finalist &finalist) {
    return {{"median_ms", finalist.median_ms},
            {"interval_ms", {finalist.interval_ms.low, finalist.interval_ms.high}},
            {"confidence", finalist.interval_ms.confidence},
            {"samples_ms", finalist.samples_ms}};
}

std::string summary_json(const TuneResult &result) {
    const auto null_or = [](const std::optional<Finalist> &finalist) {
        return finalist ? finalist_json(*finalist) : Journal::Event();
    };
    const Journal::Event json = {
        {"format", "autoschedule_gpu.tuned"},
        {"version", 1},
        {"pipeline", result.pipeline.name},
        {"size", result.pipeline.size},
        {"device", result.environment.device},
        {"driver", result.environment.driver},
        {"gpu", result.environment.gpu},
        {"trials", result.state.trials},
        {"measured", result.state.measured},
        {"failed", result.state.failed},
        {"schedule", result.winner},
        {"best", finalist_json(result.best)},
        {"default", null_or(result.usual)},
        {"chance_of_luck", result.chance_of_luck},
        {"of_earlier_run", result.found_by == FoundBy::earlier_run},
        {"interrupted", result.interrupted},
        {"error", result.error ? Journal::Event(result.error->message) : Journal::Event()},
        {"header", fs::path(result.exported.header_path).filename().string()},
        {"trace", fs::path(result.exported.trace_path).filename().string()},
        {"command", result.exported.command}};
    return dump(json, 2) + "\n";
}

std::string winner_text(const TuneResult &result) {
    if (result.found_by == FoundBy::this_run) return "";
    return "of an earlier run, in whose finals it took " + number_text(result.best.median_ms) +
           " ms: " + result.winner;
}

Status write_results(const TuneRequest &request, const Session &session, const Finals &finals,
                     const TuneResult &result) {
    const std::string name = export_name(request.workload);
    const std::string page = tune_page({.title = name + " tuned",
                                        .date = request.date,
                                        .command = request.command,
                                        .reproduce = result.exported.command,
                                        .winner = winner_text(result)},
                                       session, finals);
    if (Status written = write_file(result.page_path, page); !written) {
        return written;
    }
    return write_file(request.folder + "/" + name + ".json", summary_json(result));
}

ExportCheck check_of(const TuneRequest &request) {
    const bool has_device = request.device.kind != DeviceKind::replay &&
                            request.measured_by == MeasuredBy::this_process;
    return has_device ? ExportCheck::compile_and_run : ExportCheck::compile;
}

// Where workers measure, the export is compiled and run by one of them, unless the user asks for
// the end.
Status verify_at_worker(const Session &session, const Trial &winner) {
    Trial exported = winner;
    exported.draw = request_of_trace("exported " + to_hex(winner.code_hash), winner.trace);
    Trial *const trials[] = {&exported};
    const Session::Parts &parts = session.parts();
    const auto times = parts.executor.compare(trials, {.name = "exported", .rounds = 1});
    if (!times) return times.error();
    const ComparedTimes &own = times->front();
    if (!own) return Error{own.error().reason};
    if (!own->empty() || (parts.stop && parts.stop())) return Ok{};
    return Error{"no worker has run it to the end"};
}

std::optional<int> all_drawn(const Journal &journal) {
    std::optional<int> different;
    for (const Journal::Event &event : journal.events()) {
        if (event.at("event") == "few schedules") different = event.at("different").get<int>();
    }
    return different;
}

Result<ExportedSchedule> export_winner(const TuneRequest &request, const Session &session,
                                       TrialBench &bench, const Trial &winner,
                                       bool is_ended_early) {
    if (request.measured_by == MeasuredBy::workers && !is_ended_early) {
        const Status verified = verify_at_worker(session, winner);
        if (!verified) return Error{"the winner does not run again: " + verified.error().message};
    }
    Result<ExportedSchedule> exported =
        export_schedule(bench, request.workload, winner, request.folder, check_of(request));
    if (exported) return exported;
    return Error{"the winner could not be exported: " + exported.error().message};
}

// How the trials of a run came to their end, and who is ahead then.
struct RunEnd {
    Finals finals = {};
    std::optional<Error> error = {};
    bool interrupted = false;  // by the user

    bool is_early() const { return interrupted || error; }
};

// An error only where nothing was measured before it, or where the journal can't be written.
Result<RunEnd> run_to_its_end(Session &session, const TunePlan &plan) {
    Result<Finals> finals = tune(session, plan);
    if (finals) return RunEnd{.finals = std::move(finals).value()};
    Result<Finals> so_far = end_after_error(session, plan);
    if (!so_far || so_far->is_empty()) return finals.error();
    return RunEnd{.finals = std::move(so_far).value(), .error = finals.error()};
}

Result<TuneResult> finish(const TuneRequest &request, const Session &session, const RunEnd &end,
                          TrialBench &bench, RecordStore &store) {
    const Finals &finals = end.finals;
    Result<Winner> found = winner_of(request, store, session, finals);
    if (!found) return found.error();
    Winner winner = std::move(found).value();
    auto exported = export_winner(request, session, bench, winner.trial, end.is_early());
    if (!exported && winner.found_by == FoundBy::earlier_run) {
        // Of another version of the plugin, which made other code of it.
        winner = winner_of_finals(session, finals);
        exported = export_winner(request, session, bench, winner.trial, end.is_early());
    }
    if (!exported) return exported.error();
    TuneResult result{.state = session.state(),
                      .failures = failures_by_kind(session.trials()),
                      .pipeline = session.parts().executor.tuned().pipeline,
                      .environment = session.parts().executor.tuned().environment,
                      .winner = winner.trial.draw.schedule,
                      .best = winner.best,
                      .found_by = winner.found_by,
                      .chance_of_luck = winner.chance_of_luck,
                      .exported = std::move(exported).value(),
                      .difference = decided_otherwise(session, winner.trial),
                      .page_path = request.folder + "/" + export_name(request.workload) + ".html",
                      .all_drawn = all_drawn(session.parts().journal),
                      .recording = session.parts().executor.recording(),
                      .interrupted = end.interrupted,
                      .error = end.error};
    const Finalist &first = finals.finalists.front();
    const bool has_default = session.trials()[first.trial].draw.schedule == kFoundByDefault;
    if (has_default && winner.found_by == FoundBy::this_run) result.usual = first;
    if (Status written = write_results(request, session, finals, result); !written) {
        return written.error();
    }
    return result;
}

// What became of the export does not hide what ended the run.
Error both_errors(const Error &of_run, const Error &of_export) {
    return Error{of_run.message + "; and what was measured before: " + of_export.message};
}

// Before anything was measured.
TuneResult interrupted_early(const TuneRequest &request, const TuneState &state) {
    remove_folder(request.bench.folder);
    return {.state = state, .interrupted = true};
}

}  // namespace

std::string session_id(const TuneRequest &request) {
    Hasher hasher;
    hasher.add(request.workload.pipeline).add(request.workload.size).add(request.bench.model.name);
    hasher.add(request.seed).add(static_cast<uint64_t>(request.model.choice.kind));
    for (const auto &strategy : request.strategies) strategy->add_settings_to(hasher);
    if (!request.strategies.empty()) hasher.add(request.strategies.back()->name());
    const Tolerance &tolerance = request.workload.tolerance;
    if (tolerance != Tolerance{}) {
        hasher.add(std::bit_cast<uint64_t>(tolerance.relative.value_or(-1)));
        hasher.add(static_cast<uint64_t>(tolerance.integer_steps));
    }
    if (const uint64_t weights = hash_of_weights(request)) hasher.add("weights").add(weights);
    for (const std::string &input : to_texts(request.workload.inputs)) hasher.add(input);
    return to_hex(hasher.value());
}

uint64_t hash_of_weights(const TuneRequest &request) {
    if (!request.model.choice.weights) return 0;
    const Result<std::string> bytes = weights_bytes(*request.model.choice.weights);
    return bytes ? Hasher().add(*bytes).value() : 0;
}

Result<TuneResult> tune_pipeline(const TuneRequest &request,
                                 const std::function<void(const TuneState &)> &progress,
                                 const std::function<bool()> &stop) {
    TimeLimit limit(request.budget.seconds);
    if (Status good = check_records(request); !good) return good.error();
    if (progress) progress({.left_s = limit.left_s(), .doing = "computing the reference"});
    const auto bench = open_bench(request);
    if (!bench) return bench.error();
    Result<RecordStore> opened = open_store(request);
    if (!opened) return opened.error();
    RecordStore store = std::move(opened).value();
    ThreadPool pool(request.jobs);
    const auto executor = open_executor(request,
                                        {**bench, request.workload, store, pool,
                                         [&] { return (stop && stop()) || limit.is_reached(); }},
                                        progress, stop);
    if (!executor) return executor.error();
    if (!*executor) return interrupted_early(request, {});
    Result<std::vector<ScheduleRequest>> known = best_of_others(request, **executor, store);
    if (!known) return known.error();

    // How long a run takes to be repeated says nothing of when its time was over.
    const bool repeats = (*executor)->recording() != Recording::none;
    Journal journal(request.folder + "/" + export_name(request.workload) + ".journal.jsonl");
    Session session({.workload = request.workload,
                     .gpu = request.bench.model,
                     .executor = **executor,
                     .journal = journal,
                     .budget = request.budget,
                     .limit = repeats ? nullptr : &limit,
                     .id = session_id(request),
                     .folder = request.folder,
                     .progress = progress,
                     .stop = stop},
                    request.model);
    Result<RunEnd> ended = run_to_its_end(session, {.strategies = request.strategies,
                                                    .known = std::move(known).value(),
                                                    .finals = request.finals});
    if (!ended) return ended.error();
    RunEnd end = std::move(ended).value();
    if (end.finals.is_empty()) return interrupted_early(request, session.state());
    session.expect_finals(0, 0);
    session.tell("compiling the winner again, running it and exporting it");
    end.interrupted = stop && stop();
    Result<TuneResult> result = finish(request, session, end, **bench, store);
    if (!result && end.error) return both_errors(*end.error, result.error());
    // An error may name files that are there.
    if (!end.error) remove_folder(request.bench.folder);
    return result;
}

Result<ExportedSchedule> export_trace(const TuneRequest &request, const std::string &trace) {
    const auto bench = open_bench(request);
    if (!bench) return bench.error();
    const Outcome<BuiltSchedule> built =
        (*bench)->build(request.workload, request_of_trace("trace", trace), 0);
    if (!built) return failed_schedule(built.error());
    // The user's file may be spaced otherwise than the plugin writes it.
    Trial given;
    given.code_hash = built->code_hash;
    given.trace = built->trace;
    Result<ExportedSchedule> exported =
        export_schedule(**bench, request.workload, given, request.folder, check_of(request));
    remove_folder(request.bench.folder);
    return exported;
}

}  // namespace autoschedule_gpu
