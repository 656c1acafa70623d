// Which of the pipeline's reductions are taken apart: variants are compared by what a quick search
// of each predicts, in children of this process, several at once.
#pragma once

#include "plugins/autoscheduler/find_schedule.h"

namespace autoschedule_gpu {

// Nothing is compared, and nothing taken apart, where the strategy does not search.
ChosenFactorings choose_factors(const ScheduleTask &task);

}  // namespace autoschedule_gpu
