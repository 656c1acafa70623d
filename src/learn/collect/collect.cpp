#include "learn/collect/collect.h"

#include <future>
#include <optional>
#include <utility>

#include "core/support/file.h"
#include "core/support/parallel.h"
#include "core/support/stopwatch.h"
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

// A draw in progress. If it has neither a job nor a failure, it has not been begun.
struct Attempt {
    PlannedDraw planned = {};
    BuiltSchedule built = {};
    std::optional<RunJob> job = {};
    std::optional<FailedDraw> failed = {};
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

    // Runs the draws that can be run, and records all of them.
    Status finish(std::vector<Attempt> &batch) {
        const Stopwatch watch;
        Status done = Ok{};
        for (Attempt &attempt : batch) {
            if (done && attempt.job && !stop_()) done = run(attempt);
            if (done && attempt.failed) done = record(*attempt.failed);
            const std::lock_guard lock(mutex_);
            plan_.release(attempt.planned);
            remove_folder(attempt.built.folder);
        }
        const std::lock_guard lock(mutex_);
        state_.run_s += watch.seconds();
        return done;
    }

    Status run(Attempt &attempt) {
        const std::string &pipeline = settings_.workloads[attempt.planned.workload].pipeline;
        tell(pipeline);
        const Outcome<RunReport> report = bench_.run(*attempt.job);
        if (!report) {
            fail(attempt, report.error());
            return Ok{};
        }
        origin_.device = recorded_device(settings_.bench.device, report->device_name);
        origin_.driver = report->driver_version;
        const Sample sample{.pipeline = pipeline,
                            .schedule = attempt.planned.draw.schedule,
                            .code_hash = attempt.built.code_hash,
                            .kernels = std::move(attempt.built.kernels),
                            .times_ms = report->samples_ms};
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
        return folder_.add(draw);
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
