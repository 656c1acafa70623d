// What all executors of this room have in common: schedules are compiled in this process, and what
// the records know is taken from there.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tune/executors/trial_maker.h"
#include "tune/session/executor.h"

namespace autoschedule_gpu {

class RecordedExecutor : public Executor {
public:
    Result<std::vector<Trial>> build(std::span<const ScheduleRequest> requests) final;
    Result<Prices> price(std::span<const std::string> lists, const NamedValues &model) final;
    Result<std::vector<ComparedTimes>> compare(std::span<Trial *const> trials,
                                               const Comparison &comparison) final;

protected:
    // `session` is who found what is found.
    RecordedExecutor(std::string session, TunedPipeline tuned, const TuneContext &context)
        : Executor(std::move(tuned)), maker_(context, Executor::tuned(), std::move(session)) {}

    // Returns how many of the requests are to be tried, from the first on.
    virtual Result<size_t> tries_of(std::span<const ScheduleRequest> requests) {
        return requests.size();
    }

    // Compiles those of the trials that are requests. Returns the open ones that are to be run: all
    // that had been compiled before, and of the others each code once.
    Result<std::vector<Trial *>> compiled(std::span<Trial *const> trials);

    // Compares trials whose comparison is not in the records, or not in so many rounds.
    virtual Result<std::vector<ComparedTimes>> compare_anew(std::span<Trial *const> trials,
                                                            const Comparison &comparison) = 0;

    TrialMaker maker_;
};

}  // namespace autoschedule_gpu
