// An executor that lets workers measure: other processes, maybe on other machines, that lease jobs
// from the records (worker.h). Schedules that are only to be ranked are compiled here.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "lab/records/work_queue.h"
#include "tune/executors/job.h"
#include "tune/executors/recorded_executor.h"

namespace autoschedule_gpu {

struct QueueSettings {
    std::string session = {};  // also of the queue
    std::function<bool()> stop = {};
    std::function<void(const std::string &)> waits = {};  // told, now and then, for what
};

class QueueExecutor final : public RecordedExecutor {
public:
    // Waits for a worker that says what its device is. An error if that is not to be had; nothing,
    // a null pointer, if the user asks for the end before.
    static Result<std::unique_ptr<QueueExecutor>> open(QueueSettings settings,
                                                       const TuneContext &context);

    // Every trial is a job of its own, so that all that are requests are run. Jobs that no worker
    // has begun when the context stops are taken back.
    Status measure(std::span<Trial *const> trials, std::optional<double> best_ms) override;

private:
    QueueExecutor(QueueSettings settings, TuneJob job, TunedPipeline tuned,
                  const TuneContext &context)
        : RecordedExecutor(settings.session, std::move(tuned), context),
          settings_(std::move(settings)),
          job_(std::move(job)),
          begins_no_more_(context.stop),
          queue_(context.store) {}

    Result<std::vector<ComparedTimes>> compare_anew(std::span<Trial *const> trials,
                                                    const Comparison &comparison) override;
    // Takes what the records know of the trial's request by now. True if they know its outcome.
    Result<bool> take_known(Trial &trial);

    QueueSettings settings_;
    TuneJob job_;  // what all jobs have in common
    const std::function<bool()> begins_no_more_;
    WorkQueue queue_;
};

}  // namespace autoschedule_gpu
