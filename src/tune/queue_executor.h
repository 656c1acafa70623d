// An executor that lets workers measure: other processes, maybe on other machines, that lease jobs
// from the records (worker.h). Schedules that are only to be ranked are compiled here.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "records/work_queue.h"
#include "tune/executor.h"
#include "tune/job.h"
#include "tune/trial_maker.h"

namespace autoschedule_gpu {

struct QueueSettings {
    std::string session = {};  // also of the queue
    std::function<bool()> stop = {};
    std::function<void(const std::string &)> waits = {};  // told, now and then, for what
};

class QueueExecutor final : public Executor {
public:
    // Waits for a worker that says what its device is. All but the settings outlive the executor.
    // An error if that is not to be had, or the user asks for the end before.
    static Result<std::unique_ptr<QueueExecutor>> open(QueueSettings settings,
                                                       const TrialBenchSettings &bench_settings,
                                                       TrialBench &bench, const Subject &subject,
                                                       RecordStore &store, ThreadPool &pool);

    const PipelineKey &pipeline() const override { return maker_.tuned().pipeline; }
    const Environment &environment() const override { return maker_.tuned().environment; }
    Result<std::vector<Trial>> build(std::span<const Draw> draws) override;
    Status measure(std::span<Trial *const> trials, std::optional<double> best_ms) override;
    Result<std::vector<Trial>> attempt(std::span<const Draw> draws,
                                       std::optional<double> best_ms) override;
    Result<std::vector<ComparedTimes>> again(std::span<Trial *const> trials,
                                             const Comparison &comparison) override;

private:
    QueueExecutor(QueueSettings settings, TuneJob job, TrialBench &bench, RecordStore &store,
                  ThreadPool &pool, TunedPipeline tuned)
        : settings_(std::move(settings)),
          job_(std::move(job)),
          queue_(store),
          maker_(bench, store, pool, std::move(tuned), settings_.session) {}

    QueueSettings settings_;
    TuneJob job_;  // what all jobs have in common
    WorkQueue queue_;
    TrialMaker maker_;
};

}  // namespace autoschedule_gpu
