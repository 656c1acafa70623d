#include "tune/executors/device_executor.h"

#include <algorithm>
#include <future>
#include <utility>

#include "core/support/stopwatch.h"
#include "lab/build/retry.h"
#include "lab/run/interleave.h"
#include "scheduler/features/feature_list.h"
#include "scheduler/schedule/trace.h"
#include "tune/executors/run_limit.h"

namespace autoschedule_gpu {
namespace {

// What a first, untimed run tells.
struct Learnt {
    std::string device, driver;
    uint64_t pipeline_hash = 0;
};

Outcome<Learnt> learn(const TuneContext &context, const ScheduleRequest &request) {
    TrialBench &bench = context.bench;
    Outcome<BuiltSchedule> built = bench.build(context.workload, request, 0);
    if (!built) return built.error();
    const Result<Trace> trace = parse_trace(built->trace);
    if (!trace) return setup_failure(trace.error().message);
    Outcome<RunJob> job = bench.ready(context.workload, *built);
    if (!job) return job.error();
    RunJob once = *job;
    once.noise = kUntimed;
    const Outcome<RunReport> report = bench.run(once);
    if (!report) return report.error();
    return Learnt{.device = recorded_device(bench.settings().device, report->device_name),
                  .driver = report->driver_version,
                  .pipeline_hash = trace->pipeline_hash};
}

// Runs the plain schedule where the default one does not run.
Outcome<Learnt> learn(const TuneContext &context) {
    Outcome<Learnt> learnt = retry_lost([&] { return learn(context, default_request()); });
    if (learnt || learnt.error().kind == FailureKind::setup) return learnt;
    Outcome<Learnt> plain =
        learn(context, {.schedule = "plain", .scheduler_params = {{"strategy", "plain"}}});
    return plain ? plain : learnt;
}

// Runs all of them once more where somebody ended a run from outside.
Result<std::vector<Outcome<InterleavedRun>>> run_in_rounds(const TrialBench &bench,
                                                           const std::vector<RunJob> &jobs,
                                                           int rounds,
                                                           const std::function<bool()> &stop) {
    auto runs = bench.run_in_rounds(jobs, rounds, stop);
    for (int attempt = 1; runs && attempt < kMostTries; ++attempt) {
        const bool complete = std::ranges::none_of(
            *runs, [](const auto &run) { return !run && run.error().kind == FailureKind::lost; });
        if (complete) break;
        runs = bench.run_in_rounds(jobs, rounds, stop);
    }
    return runs;
}

// A run that was impossible is no defeat of its schedule.
Status check_possible(const std::vector<Outcome<InterleavedRun>> &runs) {
    for (const Outcome<InterleavedRun> &run : runs) {
        if (!run && run.error().kind == FailureKind::setup) {
            return Error{"schedules can't be compared: " + run.error().reason};
        }
    }
    return Ok{};
}

std::vector<ComparedTimes> nothing_for(std::span<Trial *const> trials) {
    return std::vector<ComparedTimes>(trials.size(), std::vector<double>());
}

}  // namespace

Result<std::unique_ptr<DeviceExecutor>> DeviceExecutor::open(DeviceExecutorSettings settings,
                                                             const TuneContext &context) {
    const Outcome<Learnt> learnt = learn(context);
    if (!learnt) {
        const Failure &failure = learnt.error();
        return Error{"the schedule that is to be tuned can't be measured (" +
                     std::string(to_string(failure.kind)) + "): " + failure.reason +
                     (failure.command.empty() ? "" : "; see " + failure.command)};
    }
    TunedPipeline tuned{.pipeline = {.name = context.workload.pipeline,
                                     .size = context.workload.size,
                                     .hash = learnt->pipeline_hash},
                        .environment = {.device = learnt->device,
                                        .driver = learnt->driver,
                                        .gpu = context.bench.settings().model.name,
                                        .halide = settings.halide,
                                        .plugin = settings.plugin,
                                        .feature_schema = feature_schema_hash()}};
    return std::unique_ptr<DeviceExecutor>(
        new DeviceExecutor(std::move(settings), std::move(tuned), context));
}

std::vector<DeviceExecutor::Ready> DeviceExecutor::prepare(std::span<Trial *const> trials) {
    const PhaseTimer timer(times_.build), link_timer(times_.link);
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
            job.timeout = run_limit(best_ms, job.noise, bench_.settings().limits.run_timeout);
            ++times_.runs;
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
    const Result<std::vector<Trial *>> compiled_ones = compiled(trials);
    if (!compiled_ones) return compiled_ones.error();
    const std::vector<Trial *> &open = *compiled_ones;
    const size_t part = 4 * static_cast<size_t>(pool_.threads());
    const auto prepare_from = [&](size_t first) {
        const size_t count = first < open.size() ? std::min(part, open.size() - first) : 0;
        return prepare(std::span(open).subspan(std::min(first, open.size()), count));
    };
    std::vector<Ready> ready = prepare_from(0);
    for (size_t next = part; !ready.empty(); next += part) {
        if (bench_.settings().phases == CompileOverlap::overlap) {
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

Result<std::vector<ComparedTimes>> DeviceExecutor::compare_anew(std::span<Trial *const> trials,
                                                                const Comparison &comparison) {
    const PhaseTimer timer(times_.run);
    std::vector<ComparedTimes> times = nothing_for(trials);
    std::vector<RunJob> jobs;
    std::vector<size_t> places;  // of the jobs, among the trials
    for (size_t i = 0; i < trials.size(); ++i) {
        const Outcome<RunJob> job = maker_.job_of(*trials[i]);
        if (!job && job.error().kind == FailureKind::setup) {
            return Error{"'" + trials[i]->draw.schedule + "': " + job.error().reason};
        }
        if (!job) {
            times[i] = job.error();
            continue;
        }
        jobs.push_back(*job);
        jobs.back().noise = comparison.noise;
        places.push_back(i);
    }
    const auto runs = run_in_rounds(bench_, jobs, comparison.rounds, settings_.stop);
    if (!runs) return runs.error();
    times_.runs += comparison.rounds * static_cast<int>(jobs.size());
    // Nothing is noted of a part of a comparison, which the next call makes again.
    if (is_ended_by_user()) return nothing_for(trials);
    if (Status possible = check_possible(*runs); !possible) return possible.error();
    for (size_t j = 0; j < jobs.size(); ++j) {
        const Outcome<InterleavedRun> &run = (*runs)[j];
        times[places[j]] = run ? ComparedTimes(run->timing.samples_ms) : run.error();
    }
    const std::string label = label_of(comparison, trials);
    for (size_t i = 0; i < trials.size(); ++i) {
        if (Status noted = note(*trials[i], label, times[i]); !noted) return noted.error();
    }
    return times;
}

Status DeviceExecutor::note(Trial &trial, const std::string &label, const ComparedTimes &times) {
    if (times) return maker_.note_compared(trial, label, *times);
    if (is_provisional(times.error().kind)) return Ok{};
    trial.failure = times.error();
    return maker_.note_failed(trial, times.error());
}

}  // namespace autoschedule_gpu
