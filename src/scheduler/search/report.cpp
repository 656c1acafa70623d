#include "scheduler/search/report.h"

namespace autoschedule_gpu {

void add_states(SearchReport &report, const SearchReport &part) {
    report.states_enumerated += part.states_enumerated;
    report.states_rejected += part.states_rejected;
    report.states_scored += part.states_scored;
    report.rejections.add(part.rejections);
}

void RunningPart::done(double cost_after) {
    report_.parts.push_back({.attempt = {},
                             .name = name_,
                             .seconds = watch_.seconds(),
                             .states = report_.states_scored - states_before_,
                             .cost_before = cost_before_,
                             .cost_after = cost_after});
}

}  // namespace autoschedule_gpu
