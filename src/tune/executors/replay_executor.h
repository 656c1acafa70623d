// An executor without a device: what the records hold is what happens. A run that is repeated with
// the same settings on its own records goes the same way, decision for decision; another strategy
// finds those of its candidates that were measured, and the others fail.
#pragma once

#include <memory>
#include <string>

#include "tune/executors/recorded_executor.h"

namespace autoschedule_gpu {

class ReplayExecutor final : public RecordedExecutor {
public:
    // The store is written to (what is compiled is noted): give it a copy. `halide`: the
    // version by which the schedules are compiled; code of another is other code. Errors: the
    // default schedule can't be compiled; the records hold nothing of the pipeline by that version,
    // or have it of several devices.
    static Result<std::unique_ptr<ReplayExecutor>> open(const std::string &session,
                                                        const std::string &halide,
                                                        const TuneContext &context);

    Status measure(std::span<Trial *const> trials, std::optional<double> best_ms) override;

private:
    using RecordedExecutor::RecordedExecutor;

    Result<std::vector<ComparedTimes>> compare_anew(std::span<Trial *const> trials,
                                                    const Comparison &comparison) override;
};

}  // namespace autoschedule_gpu
