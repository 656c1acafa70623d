// Which of the pipeline's reductions are taken apart: variants are compared by what a quick search
// of each predicts, in children of this process, several at once.
#pragma once

#include "plugins/autoscheduler/find_schedule.h"

namespace autoschedule_gpu {

struct ComparedFactorings {
    ChosenFactorings chosen;
    StopReason stop_reason;  // why no more were compared
};

// Nothing is compared, and nothing taken apart, where the strategy does not search.
ComparedFactorings choose_factors(const ScheduleTask &task);

}  // namespace autoschedule_gpu
