// An executor that measures on a device of this machine, one schedule at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tune/executors/recorded_executor.h"

namespace autoschedule_gpu {

struct DeviceExecutorSettings {
    std::string session = {};
    std::string halide = {}, plugin = {};  // versions
    std::function<bool()> stop = {};       // ends comparisons, too, which the context's does not
};

class DeviceExecutor final : public RecordedExecutor {
public:
    // Compiles and runs the default schedule once, untimed, to learn the pipeline's hash and what
    // the device calls itself. An error if no schedule of the pipeline runs.
    static Result<std::unique_ptr<DeviceExecutor>> open(DeviceExecutorSettings settings,
                                                        const TuneContext &context);

    Status measure(std::span<Trial *const> trials, std::optional<double> best_ms) override;

private:
    DeviceExecutor(DeviceExecutorSettings settings, TunedPipeline tuned, const TuneContext &context)
        : RecordedExecutor(settings.session, std::move(tuned), context),
          settings_(std::move(settings)),
          bench_(context.bench),
          pool_(context.pool),
          stop_trials_(context.stop) {
        times_.at_a_time = static_cast<int>(pool_.threads());
    }

    Result<std::vector<ComparedTimes>> compare_anew(std::span<Trial *const> trials,
                                                    const Comparison &comparison) override;

    // A trial and what runs it.
    struct Ready {
        Trial *trial = nullptr;
        std::optional<Outcome<RunJob>> job = {};
    };
    std::vector<Ready> prepare(std::span<Trial *const> trials);
    bool stops() const { return stop_trials_ && stop_trials_(); }
    Status run(std::vector<Ready> &ready, std::optional<double> best_ms);
    // Notes what came of a trial in a comparison; a failure that says something is also its own.
    Status note(Trial &trial, const std::string &label, const ComparedTimes &times);
    bool is_ended_by_user() const { return settings_.stop && settings_.stop(); }

    DeviceExecutorSettings settings_;
    TrialBench &bench_;
    ThreadPool &pool_;
    const std::function<bool()> stop_trials_;
};

}  // namespace autoschedule_gpu
