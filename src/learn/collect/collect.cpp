#include "learn/collect/collect.h"

#include <future>
#include <optional>
#include <sstream>
#include <utility>

#include "core/support/file.h"
#include "core/support/parallel.h"
#include "core/support/statistics.h"
#include "core/support/stopwatch.h"
#include "lab/build/retry.h"
#include "learn/collect/believed_runs.h"
#include "learn/collect/plan.h"

namespace autoschedule_gpu {
namespace {

// So many draws are compiled before the first of them runs: enough that no core waits long for the
// last one, few enough that little is lost when the collection ends in the middle.
constexpr int kDrawsPerJob = 4;

// Bytes stored per thread. What spills is slow whatever else it does, so models are not to learn
// from it.
constexpr int64_t kMostSpillBytes = 0;

const Failure kNoFeatures = {.kind = FailureKind::search, .reason = "the schedule has no features"};

// The reason names what each process found.
Failure noise_of(const std::vector<std::vector<double>> &rounds_ms) {
    std::ostringstream found;
    found.precision(3);
    for (const std::vector<double> &runs_ms : rounds_ms) {
        if (found.tellp() > 0) found << ", ";
        if (runs_ms.empty()) {
            found << "no run that had its cores";
        } else {
            found << median(runs_ms) << " ms";
        }
    }
    return {.kind = FailureKind::noise,
            .reason = "no two processes agree on its time: " + found.str()};
}

// A draw in progress. If it has neither a job nor a failure, it has not been begun.
struct Attempt {
    PlannedDraw planned = {};
    BuiltSchedule built = {};
    std::optional<RunJob> job = {};  // none: it needs no further run
    std::optional<FailedDraw> failed = {};
    std::vector<std::vector<double>> rounds_ms = {};  // runs that are believed, by process
};

class Collection {
public:
    Collection(const CollectSettings &settings, SampleFolder &folder, TrialBench &bench,
               const std::function<void(const CollectState &)> &progress,
               const std::function<bool()> &stop)
        : settings_(settings),
          folder_(folder),
          bench_(bench),
          progress_(progress),
          stop_(stop),
          plan_(settings.workloads, folder, settings.samples, settings.sampler, settings.seed),
          pool_(settings.jobs),
          origin_(settings.origin) {}

    Result<CollectReport> run() {
        std::vector<Attempt> batch = prepare();
        while (!batch.empty()) {
            Status done = Ok{};
            if (settings_.bench.phases == CompileOverlap::overlap) {
                auto next = std::async(std::launch::async, [this] { return prepare(); });
                done = finish(batch);
                batch = next.get();
                // What was still to come of this batch may have become no samples.
                if (done && batch.empty()) batch = prepare();
            } else {
                done = finish(batch);
                if (done) batch = prepare();
            }
            if (!done) return done.error();
        }
        tell("done");
        const CollectEnd end = plan_.samples() >= settings_.samples ? CollectEnd::complete
                               : stop_()                            ? CollectEnd::interrupted
                                                                    : CollectEnd::given_up;
        return CollectReport{.state = state_, .end = end};
    }

private:
    // Returns the next draws, ready to run; empty when all is done or it is time to stop.
    std::vector<Attempt> prepare() {
        if (stop_()) return {};
        const Stopwatch watch;
        std::vector<Attempt> batch;
        {
            const std::lock_guard lock(mutex_);
            for (PlannedDraw &planned : plan_.next(pool_.threads() * kDrawsPerJob)) {
                batch.push_back({.planned = std::move(planned)});
            }
        }
        if (!batch.empty()) tell("compiling " + std::to_string(batch.size()) + " schedules");
        const int first_slot = (batches_++ % 2) * pool_.threads() * kDrawsPerJob;
        pool_.for_each(batch.size(), [&](size_t i) {
            if (!stop_()) prepare(batch[i], first_slot + static_cast<int>(i));
        });
        const std::lock_guard lock(mutex_);
        state_.compile_s += watch.seconds();
        return batch;
    }

    void prepare(Attempt &attempt, int slot) {
        const size_t workload = attempt.planned.workload;
        Outcome<BuiltSchedule> built =
            bench_.build(settings_.workloads[workload], attempt.planned.draw, slot);
        if (!built) return fail(attempt, built.error());
        attempt.built = std::move(built).value();
        if (attempt.built.kernels.empty()) return fail(attempt, kNoFeatures);
        if (!folder_.reserve(settings_.workloads[workload], attempt.built.code_hash)) {
            attempt.failed = failed_draw(attempt);
            attempt.failed->reason = "the code of another schedule";
            return;
        }
        const Outcome<std::vector<KernelFigures>> figures = bench_.figures(attempt.built);
        if (!figures) return fail(attempt, figures.error());
        if (auto spilled = spill_failure(*figures, kMostSpillBytes)) return fail(attempt, *spilled);
        Outcome<RunJob> job = bench_.ready(settings_.workloads[workload], attempt.built);
        if (!job) return fail(attempt, job.error());
        attempt.job = std::move(job).value();
    }

    FailedDraw failed_draw(const Attempt &attempt) const {
        return {.pipeline = settings_.workloads[attempt.planned.workload].pipeline,
                .schedule = attempt.planned.draw.schedule,
                .code_hash = attempt.built.code_hash};
    }

    void fail(Attempt &attempt, const Failure &failure) const {
        attempt.failed = failed_draw(attempt);
        attempt.failed->kind = failure.kind;
        attempt.failed->reason = failure.reason;
        attempt.failed->command = failure.command;
    }

    // Runs the draws that can be run, in rounds, and records all of them.
    Status finish(std::vector<Attempt> &batch) {
        const Stopwatch watch;
        Status done = Ok{};
        for (int round = 0; round < kMostRounds; ++round) {
            for (Attempt &attempt : batch) {
                if (done && attempt.job && !stop_()) done = run(attempt);
            }
        }
        for (Attempt &attempt : batch) {
            if (attempt.rounds_ms.size() == kMostRounds && attempt.job)
                fail(attempt, noise_of(attempt.rounds_ms));
            if (is_sample(attempt)) noisy_in_a_row_ = 0;
            if (done && attempt.failed && !is_duplicate(attempt)) done = record(*attempt.failed);
        }
        for (Attempt &attempt : batch) {
            if (done && is_duplicate(attempt) && is_code_tried(attempt)) {
                done = record(*attempt.failed);
            }
            const std::lock_guard lock(mutex_);
            plan_.release(attempt.planned);
            remove_folder(attempt.built.folder);
        }
        const std::lock_guard lock(mutex_);
        state_.run_s += watch.seconds();
        return done;
    }

    static bool is_sample(const Attempt &attempt) {
        return !attempt.failed && !attempt.job && !attempt.rounds_ms.empty();
    }

    static bool is_duplicate(const Attempt &attempt) {
        return attempt.failed && !attempt.failed->kind;
    }

    // Where the user ends the collection, the first of some equal draws may not have been run.
    // Those that are equal are then drawn again, as it is.
    bool is_code_tried(const Attempt &attempt) const {
        return folder_.was_code_tried(settings_.workloads[attempt.planned.workload],
                                      attempt.built.code_hash);
    }

    // Runs the draw in another process; its job is over once it failed or two processes agree.
    Status run(Attempt &attempt) {
        tell(settings_.workloads[attempt.planned.workload].pipeline);
        const Outcome<RunReport> report = retry_lost([&] { return bench_.run(*attempt.job); });
        if (!report) {
            fail(attempt, report.error());
            attempt.job.reset();
            return Ok{};
        }
        attempt.rounds_ms.push_back(believed_runs(*report));
        std::optional<std::vector<double>> runs_ms = agreed_runs(attempt.rounds_ms);
        if (!runs_ms) return Ok{};
        attempt.job.reset();
        origin_.device = recorded_device(settings_.bench.device, report->device_name);
        origin_.driver = report->driver_version;
        return add_sample(attempt, *std::move(runs_ms));
    }

    Status add_sample(Attempt &attempt, std::vector<double> runs_ms) {
        const Sample sample{.pipeline = settings_.workloads[attempt.planned.workload].pipeline,
                            .schedule = attempt.planned.draw.schedule,
                            .code_hash = attempt.built.code_hash,
                            .kernels = std::move(attempt.built.kernels),
                            .times_ms = std::move(runs_ms)};
        const std::lock_guard lock(mutex_);
        ++state_.new_samples;
        return folder_.add(origin_, sample);
    }

    // A failure of the measuring itself is returned as an error, because it is no fault of the
    // draw.
    Status record(const FailedDraw &draw) {
        if (draw.kind == FailureKind::setup) {
            return Error{draw.pipeline + " cannot be measured: " + draw.reason +
                         (draw.command.empty() ? "" : "; see " + draw.command)};
        }
        const Status added = folder_.add(draw);
        if (!added || draw.kind != FailureKind::noise) return added;
        if (++noisy_in_a_row_ < kMostNoisyDraws) return Ok{};
        return Error{"nothing can be timed on this machine now: of " +
                     std::to_string(kMostNoisyDraws) +
                     " schedules in a row no two runs agreed; let it do less else, then go on with "
                     "the same command, or name pipelines or sizes that run longer"};
    }

    void tell(const std::string &doing) {
        const std::lock_guard lock(mutex_);
        state_.doing = doing;
        state_.counts = {};
        for (const Workload &workload : settings_.workloads) {
            const SampleCounts counts = folder_.counts(workload);
            state_.counts.samples += counts.samples;
            state_.counts.duplicates += counts.duplicates;
            state_.counts.failures += counts.failures;
            state_.counts.noisy += counts.noisy;
        }
        progress_(state_);
    }

    const CollectSettings &settings_;
    SampleFolder &folder_;
    TrialBench &bench_;
    const std::function<void(const CollectState &)> &progress_;
    const std::function<bool()> &stop_;
    std::mutex mutex_;  // guards the plan and the state
    Plan plan_;
    CollectState state_;
    ThreadPool pool_;
    int batches_ = 0;
    int noisy_in_a_row_ = 0;
    SampleOrigin origin_;
};

}  // namespace

Result<CollectReport> collect(const CollectSettings &settings,
                              const std::function<void(const CollectState &)> &progress,
                              const std::function<bool()> &stop) {
    Result<SampleFolder> opened =
        SampleFolder::open(settings.folder, std::string(to_string(settings.bench.device)));
    if (!opened) return opened.error();
    SampleFolder folder = std::move(opened).value();
    const Outcome<std::unique_ptr<TrialBench>> bench =
        TrialBench::open(settings.bench, settings.workloads.front());
    if (!bench) return Error{bench.error().reason};
    Result<CollectReport> report = Collection(settings, folder, **bench, progress, stop).run();
    remove_folder(settings.bench.folder);
    return report;
}

}  // namespace autoschedule_gpu
