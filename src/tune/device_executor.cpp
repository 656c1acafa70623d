#include "tune/device_executor.h"

#include <algorithm>
#include <future>
#include <utility>

#include "features/feature_list.h"
#include "measure/device_lock.h"
#include "measure/interleave.h"
#include "measure/retry.h"
#include "schedule/trace.h"
#include "support/stopwatch.h"
#include "tune/batch.h"
#include "tune/run_limit.h"
#include "tune/spill_filter.h"

namespace autoschedule_gpu {
namespace {

// What a first, untimed run tells.
struct Learnt {
    std::string device, driver;
    uint64_t pipeline_hash = 0;
};

Outcome<Learnt> learn(const TrialBenchSettings &settings, TrialBench &bench, const Draw &draw) {
    Outcome<BuiltDraw> built = bench.build(0, draw, 0);
    if (!built) return built.error();
    const Result<Trace> trace = parse_trace(built->trace);
    if (!trace) return setup_failure(trace.error().message);
    Outcome<RunJob> job = bench.link(0, *built);
    if (!job) return job.error();
    RunJob once = *job;
    once.noise = kUntimed;
    const Outcome<RunReport> report = bench.run(once);
    if (!report) return report.error();
    return Learnt{.device = recorded_device(settings.device, report->device_name),
                  .driver = report->driver_version,
                  .pipeline_hash = trace->pipeline_hash};
}

// The plain schedule where the default one does not run.
Outcome<Learnt> learn(const TrialBenchSettings &settings, TrialBench &bench) {
    Outcome<Learnt> learnt = retry_lost([&] { return learn(settings, bench, default_draw()); });
    if (learnt || learnt.error().kind == FailureKind::setup) return learnt;
    Outcome<Learnt> plain =
        learn(settings, bench, {.schedule = "plain", .scheduler_params = {{"strategy", "plain"}}});
    return plain ? plain : learnt;
}

// Once more where somebody ended a run from outside.
std::vector<Outcome<InterleavedRun>> run_interleaved(const std::string &runner,
                                                     const std::vector<RunJob> &jobs, int rounds) {
    auto runs = measure_interleaved(runner, jobs, rounds);
    for (int attempt = 1; attempt < kMostTries; ++attempt) {
        const bool complete = std::ranges::none_of(
            runs, [](const auto &run) { return !run && run.error().kind == FailureKind::lost; });
        if (complete) break;
        runs = measure_interleaved(runner, jobs, rounds);
    }
    return runs;
}

}  // namespace

Result<std::unique_ptr<DeviceExecutor>> DeviceExecutor::open(
    DeviceExecutorSettings settings, const TrialBenchSettings &bench_settings, TrialBench &bench,
    const Subject &subject, RecordStore &store, ThreadPool &pool) {
    const Outcome<Learnt> learnt = learn(bench_settings, bench);
    if (!learnt) {
        const Failure &failure = learnt.error();
        return Error{"the schedule that is to be tuned can't be measured (" +
                     std::string(to_string(failure.kind)) + "): " + failure.reason +
                     (failure.command.empty() ? "" : "; see " + failure.command)};
    }
    TunedPipeline tuned{.pipeline = {.name = settings.pipeline_name,
                                     .size = subject.size,
                                     .hash = learnt->pipeline_hash},
                        .environment = {.device = learnt->device,
                                        .driver = learnt->driver,
                                        .gpu = bench_settings.model.name,
                                        .halide = settings.halide,
                                        .plugin = settings.plugin,
                                        .feature_schema = feature_schema_hash()}};
    return std::unique_ptr<DeviceExecutor>(new DeviceExecutor(
        std::move(settings), bench_settings, bench, store, pool, std::move(tuned)));
}

Result<std::vector<Trial>> DeviceExecutor::build(std::span<const Draw> draws) {
    const PhaseTimer timer(times_.build);
    maker_.drop_unlinked();
    return maker_.make(draws);
}

std::vector<DeviceExecutor::Ready> DeviceExecutor::prepare(std::span<Trial *const> trials) {
    const PhaseTimer timer(times_.build);
    std::vector<Ready> ready(trials.size());
    pool_.for_each(trials.size(), [&](size_t i) {
        ready[i].trial = trials[i];
        if (!stops()) ready[i].job = maker_.job_of(*trials[i]);
    });
    return ready;
}

Status DeviceExecutor::run(std::vector<Ready> &ready, std::optional<double> best_ms) {
    const PhaseTimer timer(times_.run);
    for (Ready &next : ready) {
        if (!next.job || stops()) continue;
        Trial &trial = *next.trial;
        if (!*next.job) {
            trial.failure = next.job->error();
        } else {
            RunJob job = **next.job;
            job.timeout = run_limit(best_ms, job.noise, bench_settings_.run_timeout);
            const Outcome<RunReport> report = retry_lost([&] { return bench_.run(job); });
            if (report) {
                trial.samples_ms = report->samples_ms;
                best_ms = std::min(best_ms.value_or(trial.median_ms()), trial.median_ms());
            } else {
                trial.failure = report.error();
            }
        }
        if (trial.failure && trial.failure->kind == FailureKind::setup) {
            return Error{"'" + trial.draw.schedule +
                         "' can't be measured: " + trial.failure->reason};
        }
        if (Status recorded = maker_.record(trial); !recorded) return recorded;
    }
    return Ok{};
}

Status DeviceExecutor::measure(std::span<Trial *const> trials, std::optional<double> best_ms) {
    std::vector<Trial *> open;
    for (Trial *trial : trials) {
        if (!trial->failure && !trial->is_measured()) open.push_back(trial);
    }
    const size_t part = 4 * static_cast<size_t>(pool_.threads());
    const auto prepare_from = [&](size_t first) {
        const size_t count = first < open.size() ? std::min(part, open.size() - first) : 0;
        return prepare(std::span(open).subspan(std::min(first, open.size()), count));
    };
    std::vector<Ready> ready = prepare_from(0);
    for (size_t next = part; !ready.empty(); next += part) {
        if (settings_.phases == Phases::overlap) {
            auto following = std::async(std::launch::async, prepare_from, next);
            const Status done = run(ready, best_ms);
            ready = following.get();
            if (!done) return done;
        } else {
            if (Status done = run(ready, best_ms); !done) return done;
            ready = prepare_from(next);
        }
    }
    return Ok{};
}

Result<std::vector<Trial>> DeviceExecutor::attempt(std::span<const Draw> draws,
                                                   std::optional<double> best_ms) {
    Result<std::vector<Trial>> built = build(draws);
    if (!built) return built;
    std::vector<Trial> trials = std::move(built).value();
    const Status measured = measure(worth_running(trials), best_ms);
    if (!measured) return measured.error();
    return trials;
}

Result<std::vector<ComparedTimes>> DeviceExecutor::again(std::span<Trial *const> trials,
                                                         const Comparison &comparison) {
    const std::string label = label_of(comparison, trials);
    auto known = maker_.compared(trials, label);
    if (!known) return known.error();
    if (*known) return **known;

    const PhaseTimer timer(times_.run);
    std::vector<RunJob> jobs;
    for (Trial *trial : trials) {
        const Outcome<RunJob> job = maker_.job_of(*trial);
        if (!job) return Error{"'" + trial->draw.schedule + "': " + job.error().reason};
        jobs.push_back(*job);
        jobs.back().noise = comparison.noise;
    }
    const Result<DeviceLock> lock = DeviceLock::acquire(to_string(bench_settings_.device));
    if (!lock) return lock.error();
    const auto runs = run_interleaved(bench_settings_.runner, jobs, comparison.rounds);
    std::vector<ComparedTimes> times;
    for (size_t i = 0; i < trials.size(); ++i) {
        if (runs[i]) {
            const std::vector<double> &samples_ms = runs[i]->timing.samples_ms;
            const Status noted = maker_.note_compared(*trials[i], label, samples_ms);
            if (!noted) return noted.error();
            times.push_back(samples_ms);
            continue;
        }
        times.push_back(runs[i].error());
        if (is_provisional(runs[i].error().kind)) continue;
        trials[i]->failure = runs[i].error();
        if (Status noted = maker_.note_failed(*trials[i], runs[i].error()); !noted) {
            return noted.error();
        }
    }
    return times;
}

}  // namespace autoschedule_gpu
