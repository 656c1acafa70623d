// Whether Halide accepts what a search found: its schedule is lowered on a copy of the pipeline,
// and what comes of it must fit the device.
//
// A trial gets what is left of the search's time, and never less than some seconds. If that is not
// enough, the schedule is used as it is: it keeps all rules of the search, while a plainer one,
// which Halide lowers sooner, would nearly always be slower.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/gpu/gpu_model.h"
#include "core/support/error.h"
#include "halide/lower/trial_process.h"
#include "plugins/autoscheduler/known_kernels.h"
#include "plugins/autoscheduler/runtime_sizes.h"
#include "plugins/autoscheduler/spill_check.h"
#include "scheduler/schedule/directive.h"
#include "scheduler/search/search_clock.h"
#include "scheduler/strategies/composition.h"

namespace autoschedule_gpu {

// A schedule that Halide has accepted on a copy of the pipeline.
struct AcceptedSchedule {
    Schedule schedule;
    std::optional<TrialLowering> lowered;  // none: Halide took longer than there was time
};

struct RefusedAttempt {
    Attempt attempt = Attempt::search;
    std::string error;
    std::string nest;  // its text form
};

class Acceptance final : public Judge {
public:
    // All must outlive it.
    // `factors`: with which all schedules begin that are made of states
    // (scheduler/schedule/factors.h). `sizes`: at which `as_read` was read.
    Acceptance(const Halide::Pipeline &pipeline, const Dag &as_read, const Schedule &factors,
               const Halide::Target &target, const GpuModel &gpu, const SpillCheck &spill_check,
               SearchClock &clock, const GivenSizes &sizes = {})
        : pipeline_(pipeline),
          as_read_(as_read),
          factors_(factors),
          target_(target),
          gpu_(gpu),
          spill_check_(spill_check),
          clock_(clock),
          trials_(sizes) {}

    // Nothing if the nest is not legal, Halide refuses its schedule, or what Halide makes of it
    // does not fit the device (but then a plain schedule and one on the host are accepted: there
    // are no others). Why is in refused().
    std::optional<Judgement> judge(const CompleteState &candidate, Attempt attempt) override;
    // What has to be lowered of several, at once.
    size_t prepare(std::span<const CompleteState *const> candidates, Attempt attempt) override;
    bool accepts_whole(const CompleteState &candidate, Attempt attempt) override;

    const AcceptedSchedule &accepted(const Judgement &judgement) const {
        return accepted_[judgement.number];
    }
    const std::vector<RefusedAttempt> &refused() const { return refused_; }
    const TrialRecord &trials() const { return trials_.record(); }

    // The same of a schedule that was given, with the reason why it is not accepted.
    Result<AcceptedSchedule> accept(Schedule given);

private:
    Schedule schedule_of(const CompleteState &candidate) const;
    void refuse(const CompleteState &candidate, Attempt attempt, const std::string &why);

    // Nothing: there was no time.
    using Lowered = Result<std::optional<TrialLowering>>;
    Lowered lower(const Schedule &schedule, std::span<const KeptRoot> only = {},
                  Whole whole = Whole::left_out);
    std::optional<Lowered> take_prepared(const CompleteState &candidate);
    Lowered lower_whole(const Schedule &schedule, const CompleteState &candidate);
    double trial_seconds() const;  // that one may take
    Lowered lowered(ApartTrials::Outcome outcome, double time_s) const;
    std::optional<KnownKernels::Unknown> unknown_kernels(const CompleteState &candidate) const;
    // Of the kernels that no trial has been made of; of the others what was found then. nullopt:
    // the whole has to be lowered. `by_parts`: the whole was not even sketched.
    std::optional<Lowered> lower_unknown(const Schedule &schedule, const CompleteState &candidate,
                                         bool &by_parts);

    void remember(const CompleteState &candidate, const TrialLowering &lowered);

    std::optional<std::string> exceeds(const std::optional<TrialLowering> &lowered,
                                       const AllowedSizes &allowed) const;

    const Halide::Pipeline &pipeline_;
    const Dag &as_read_;
    const Schedule factors_;
    const Halide::Target &target_;
    const GpuModel &gpu_;
    const SpillCheck &spill_check_;
    SearchClock &clock_;
    ApartTrials trials_;
    KnownKernels known_;
    std::map<uint64_t, Lowered> prepared_;  // wholes or unknown kernels, by the states' ids
    std::vector<AcceptedSchedule> accepted_;
    std::vector<RefusedAttempt> refused_;
};

}  // namespace autoschedule_gpu
