// How long a tuning run will still take. Its pace is that of what it has done: seconds that a
// schedule takes to be compiled, and what else passes per schedule that is run, linking and
// comparing it included. The first schedule is compiled alone, those that follow together. Prices
// and training count per schedule for which they have been made.
#pragma once

#include <optional>

namespace autoschedule_gpu {

struct WorkDone {
    double wall_s = 0;     // of the trials of this call, all in all
    double compile_s = 0;  // of that, until all had code
    double link_s = 0;     // of that, for those that are run
    // Of the wall time, for prices, and of that, for schedules that have been tried; for training.
    double price_s = 0, price_of_tried_s = 0;
    double train_s = 0;
    int compiled = 0, run = 0;
    int at_a_time = 1;  // schedules that are compiled, and linked, together
};

struct WorkToCome {
    int compiled = 0, run = 0;
    double end_s = 0;  // finals and export
};

// In seconds of wall time.
struct WorkLeft {
    double price = 0, compile = 0;
    double run = 0;  // finals and export included
    double train = 0;

    double all() const { return price + compile + run + train; }
    // Of each kind as much less as all of it is, where there is no more time than that.
    WorkLeft within(double seconds) const;
};

// How many of the wanted schedules to compile and run next, of what is to fit into so many seconds:
// what half of them suffice for, since nothing of a part is run before all of it is compiled; but
// as many as are compiled together in any case. No more before the first is compiled: a call that
// goes on may have little time, and does not know its pace.
int next_part(const WorkDone &done, double seconds, int wanted);

// Nothing before the first schedule is compiled.
std::optional<WorkLeft> work_left(const WorkDone &done, const WorkToCome &more);

}  // namespace autoschedule_gpu
