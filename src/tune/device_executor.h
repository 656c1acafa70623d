// An executor that measures on a device of this machine, one schedule at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "trial/phases.h"
#include "tune/executor.h"
#include "tune/trial_maker.h"

namespace autoschedule_gpu {

struct DeviceExecutorSettings {
    std::string session = {};
    std::string pipeline_name = {};        // "app:harris"
    std::string halide = {}, plugin = {};  // versions
    Phases phases = Phases::alternate;
    std::function<bool()> stop = {};  // asked between steps: what is left is not run
};

class DeviceExecutor final : public Executor {
public:
    // Compiles and runs the default schedule once, untimed, to learn the pipeline's hash and what
    // the device calls itself. All but the settings outlive the executor. An error if no schedule
    // of the pipeline runs.
    static Result<std::unique_ptr<DeviceExecutor>> open(DeviceExecutorSettings settings,
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
    DeviceExecutor(DeviceExecutorSettings settings, const TrialBenchSettings &bench_settings,
                   TrialBench &bench, RecordStore &store, ThreadPool &pool, TunedPipeline tuned)
        : settings_(std::move(settings)),
          bench_settings_(bench_settings),
          bench_(bench),
          pool_(pool),
          maker_(bench, store, pool, std::move(tuned), settings_.session) {}

    // A trial and what runs it.
    struct Ready {
        Trial *trial = nullptr;
        std::optional<Outcome<RunJob>> job = {};
    };
    std::vector<Ready> prepare(std::span<Trial *const> trials);
    Status run(std::vector<Ready> &ready, std::optional<double> best_ms);
    bool stops() const { return settings_.stop && settings_.stop(); }

    DeviceExecutorSettings settings_;
    const TrialBenchSettings &bench_settings_;
    TrialBench &bench_;
    ThreadPool &pool_;
    TrialMaker maker_;
};

}  // namespace autoschedule_gpu
