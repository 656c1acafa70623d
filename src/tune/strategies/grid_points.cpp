#include "tune/strategies/grid_points.h"

namespace autoschedule_gpu {

std::optional<ListedDecisions> GridPoints::next() {
    if (is_done_) return std::nullopt;
    ListedDecisions point = origin_;
    for (size_t i = 0; i < steps_.size(); ++i) {
        const size_t own = origin_.decisions()[i].chosen;
        // Step 0 is the value itself; the choices before it are one step later than their number.
        point.choose(i, steps_[i] == 0 ? own : steps_[i] <= own ? steps_[i] - 1 : steps_[i]);
    }
    advance();
    return point;
}

void GridPoints::advance() {
    for (size_t i = 0; i < steps_.size(); ++i) {
        if (++steps_[i] < origin_.decisions()[i].choices.size()) return;
        steps_[i] = 0;
    }
    is_done_ = true;
}

}  // namespace autoschedule_gpu
