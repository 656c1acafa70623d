// An executor without a device: what the records hold is what happens. A run that is repeated with
// the same settings on its own records goes the same way, decision for decision, and ends where
// these do, whatever the budget; another strategy finds those of its candidates that were measured,
// and the others fail.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
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

    Recording recording() const override { return recording_; }
    Status measure(std::span<Trial *const> trials, std::optional<double> best_ms) override;

private:
    ReplayExecutor(const std::string &session, TunedPipeline tuned, std::set<uint64_t> to_come,
                   const TuneContext &context);

    Result<size_t> tries_of(std::span<const ScheduleRequest> requests) override;
    size_t end_at(size_t request);
    // All that the run has measured has come.
    bool is_at_its_end() const;
    Result<std::vector<ComparedTimes>> compare_anew(std::span<Trial *const> trials,
                                                    const Comparison &comparison) override;

    std::set<uint64_t> to_come_;  // of the run's own codes
    bool has_begun_ = false;      // one of them has come
    Recording recording_;
};

}  // namespace autoschedule_gpu
