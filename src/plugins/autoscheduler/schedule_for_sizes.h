// One schedule for several sizes (autoscheduler.sizes).
//
//     each size ─► the best schedule for it alone ─► what each costs at all the others
//                                                              │
//     one schedule, or specialisations by size ◄── the fewest of them (scheduler/sizes/runs.h)
//
// The regret at a size is by how much the one schedule takes longer there than the one that was
// made for that size alone, as the model has it.
#pragma once

#include "core/support/error.h"
#include "plugins/autoscheduler/find_schedule.h"

namespace autoschedule_gpu {

// Each size has an equal share of the time that is left, and what is done for all of them one more.
// Where there can be one schedule only, it is that of the least regret; where nothing can be said
// of any at all sizes, that of the size of the greatest weight, with a warning. The Error names the
// file and what is wrong in it, or the size.
Result<ChosenSchedule> schedule_for_sizes(const ScheduleTask &task);

}  // namespace autoschedule_gpu
