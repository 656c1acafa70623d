// Schedules that are given instead of searched for: a trace, or a list of decisions. What is given
// is used, or refused with an Error; nothing is tried instead, but of records, which may have none.
#pragma once

#include <string>
#include <variant>

#include "core/support/error.h"
#include "plugins/autoscheduler/find_schedule.h"

namespace autoschedule_gpu {

// A list of decisions about this pipeline, with its names (scheduler/decisions/own_names.h) also
// where another build wrote it. Refused: what is no list, or one of another pipeline.
Result<DecisionList> given_list(const ScheduleTask &task, const std::string &json);

// The parameter `trace`: its directives, in its own words, so that it is written back byte for
// byte. Refused: a file that is no trace, a trace of another pipeline, one that does not fit this
// one (check_against), that Halide refuses, or whose kernels the device can't hold.
Result<ChosenSchedule> schedule_of_trace(const ScheduleTask &task);

// There is none in the records: what users are to know of that.
struct NoRecord {
    std::string warning;
};
using RecordedSchedule = std::variant<ChosenSchedule, NoRecord>;

// The parameter `records`: the winner (lab/records/best_records.h) of this pipeline, at this size,
// for this device, or, if Halide refuses that, the next. An error if the file can't be read as
// records.
Result<RecordedSchedule> schedule_of_records(const ScheduleTask &task);

// The parameter `decisions`: the state that the list leads to, with its cost. Refused: a file that
// is no list, a list of another pipeline, one that leads nowhere (scheduler/decisions/follow.h), or
// to a schedule that Halide refuses or whose kernels the device can't hold.
Result<ChosenSchedule> schedule_of_decisions(const ScheduleTask &task);

}  // namespace autoschedule_gpu
