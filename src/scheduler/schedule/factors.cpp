#include "scheduler/schedule/factors.h"

#include <algorithm>

namespace autoschedule_gpu {

size_t count_factors(const Schedule &schedule) {
    const auto takes_apart = [](const Directive &directive) { return shape(directive.op).factor; };
    const auto reorders = [](const Directive &directive) {
        return directive.op == DirectiveOp::reorder_storage;
    };
    const auto last = std::find_if(schedule.rbegin(), schedule.rend(), takes_apart).base();
    if (last == schedule.begin()) return 0;  // what is reordered belongs to no reduction
    return static_cast<size_t>(std::find_if_not(last, schedule.end(), reorders) - schedule.begin());
}

SplitSchedule split_off_factors(const Schedule &schedule) {
    const auto middle = schedule.begin() + static_cast<std::ptrdiff_t>(count_factors(schedule));
    return {{schedule.begin(), middle}, {middle, schedule.end()}};
}

}  // namespace autoschedule_gpu
