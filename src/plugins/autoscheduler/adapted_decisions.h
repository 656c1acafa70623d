// Lists of decisions in which somebody has changed how a reduction is taken apart. Then there are
// other Funcs, of which the list says nothing, and it says something of Funcs that are not there.
#pragma once

#include "core/support/error.h"
#include "plugins/autoscheduler/find_schedule.h"
#include "plugins/autoscheduler/variant.h"
#include "scheduler/decisions/decision_list.h"
#include "scheduler/decisions/follow.h"

namespace autoschedule_gpu {

// As `follow` (scheduler/decisions/follow.h). Where the list is not about this variant, a quick
// search decides about what it leaves open, or, if that does not go with the rest, about all; but a
// decision about what the pipeline has neither in this variant nor as it was read is an error.
Result<Followed> follow_in_variant(const ScheduleTask &task, const PipelineVariant &variant,
                                   const DecisionList &list);

// Of that, what many lists have in common. The search goes by the roofline, whatever the task's
// model is, so that a list leads to one schedule, under whichever model it is priced or built. It
// is the same for all lists of a freedom that are not about the variant, and takes a hundred times
// as long as following one of them.
bool is_about(const ScheduleTask &task, const PipelineVariant &variant, const DecisionList &list);
Result<DecisionList> quick_decisions(const ScheduleTask &task, const PipelineVariant &variant,
                                     Freedom freedom);
// Where it is not about it. `quick`: those of the variant, at the list's freedom.
Result<Followed> follow_in_variant(const ScheduleTask &task, const PipelineVariant &variant,
                                   const DecisionList &list, const DecisionList &quick);

}  // namespace autoschedule_gpu
