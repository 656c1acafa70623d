// An executor without a device: what the records hold is what happens. A run that is repeated with
// the same settings on its own records goes the same way, decision for decision; another strategy
// finds those of its candidates that were measured, and the others fail.
#pragma once

#include <memory>

#include "tune/executor.h"
#include "tune/trial_maker.h"

namespace autoschedule_gpu {

class ReplayExecutor final : public Executor {
public:
    // The store is written to (what is compiled is noted): give it a copy. Errors: the default
    // schedule can't be compiled; the records hold nothing of the pipeline, or have it of several
    // devices.
    static Result<std::unique_ptr<ReplayExecutor>> open(const std::string &session,
                                                        TrialBench &bench, RecordStore &store,
                                                        ThreadPool &pool);

    const PipelineKey &pipeline() const override { return maker_.tuned().pipeline; }
    const Environment &environment() const override { return maker_.tuned().environment; }
    Result<std::vector<Trial>> build(std::span<const Draw> draws) override;
    Status measure(std::span<Trial *const> trials, std::optional<double> best_ms) override;
    Result<std::vector<Trial>> attempt(std::span<const Draw> draws,
                                       std::optional<double> best_ms) override;
    Result<std::vector<ComparedTimes>> again(std::span<Trial *const> trials,
                                             const Comparison &comparison) override;

private:
    ReplayExecutor(const std::string &session, TrialBench &bench, RecordStore &store,
                   ThreadPool &pool, TunedPipeline tuned)
        : maker_(bench, store, pool, std::move(tuned), session) {}

    TrialMaker maker_;
};

}  // namespace autoschedule_gpu
