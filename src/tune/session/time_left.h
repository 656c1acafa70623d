// How long a tuning run will still take. Its pace is that of what it has done: seconds that a
// schedule takes to be compiled, and what else passes per schedule that is run, linking and
// comparing it included. The first schedule is compiled alone, those that follow together.
#pragma once

#include <optional>

namespace autoschedule_gpu {

struct WorkDone {
    double wall_s = 0;     // of the trials of this call, all in all
    double compile_s = 0;  // of that, until all had code
    double link_s = 0;     // of that, for those that are run
    int compiled = 0, run = 0;
    int at_a_time = 1;  // schedules that are compiled, and linked, together
};

struct WorkToCome {
    int compiled = 0, run = 0;
    double end_s = 0;  // finals and export
};

// Nothing before the first schedule is compiled.
std::optional<double> seconds_left(const WorkDone &done, const WorkToCome &more);

}  // namespace autoschedule_gpu
