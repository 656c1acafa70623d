// The points of the space of a list of decisions, one after the other, as a counter counts: the
// first open decision changes fastest. The first point is the list itself; of each decision its
// own value comes first, then the other choices in their order.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "tune/strategies/listed_decisions.h"

namespace autoschedule_gpu {

class GridPoints {
public:
    explicit GridPoints(ListedDecisions origin)
        : origin_(std::move(origin)), steps_(origin_.decisions().size()) {}

    // Nothing after the last point.
    std::optional<ListedDecisions> next();

private:
    void advance();

    ListedDecisions origin_;
    std::vector<size_t> steps_;  // of each decision, how far it is from its own value
    bool is_done_ = false;
};

}  // namespace autoschedule_gpu
