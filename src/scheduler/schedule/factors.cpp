#include "scheduler/schedule/factors.h"

#include <algorithm>

namespace autoschedule_gpu {

size_t count_factors(const Schedule &schedule) {
    const auto ends = [](const Directive &directive) {
        return shape(directive.op).factor || directive.op == DirectiveOp::reorder_storage;
    };
    const auto last = std::find_if(schedule.rbegin(), schedule.rend(), ends);
    return static_cast<size_t>(schedule.rend() - last);
}

SplitSchedule split_off_factors(const Schedule &schedule) {
    const auto middle = schedule.begin() + static_cast<std::ptrdiff_t>(count_factors(schedule));
    return {{schedule.begin(), middle}, {middle, schedule.end()}};
}

}  // namespace autoschedule_gpu
