// What lists of decisions are worth under a cost model, as the plugin writes it where it is asked
// for `candidates_out` (plugins/autoscheduler/price_candidates.h). Nothing of them is compiled.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/support/error.h"

namespace autoschedule_gpu {

struct Price {
    uint64_t schedule = 0;  // a hash: equal for equal directives
    double cost_ns = 0;
};

// In the order of the lists; an Error where a list leads to no schedule, which says why not.
using Prices = std::vector<Result<Price>>;

// Reads the lines for that many lists. Errors name the line; the first is 1.
Result<Prices> parse_prices(std::string_view lines, size_t count);

}  // namespace autoschedule_gpu
