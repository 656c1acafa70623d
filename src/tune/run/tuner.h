// A tuning run of one pipeline from its beginning to its end:
//
//     default schedule ─► batch (batch.h) ─► coordinate descent (coordinate_descent.h) ─► finals
//
// and what the records know of earlier runs beside them. The result is never slower than the
// default schedule, as far as the finals can tell.
#pragma once

#include <optional>
#include <string>

#include "core/support/error.h"
#include "tune/session/session.h"
#include "tune/strategies/batch.h"
#include "tune/strategies/coordinate_descent.h"
#include "tune/strategies/final_comparison.h"

namespace autoschedule_gpu {

struct TunePlan {
    std::optional<BatchSettings> batch = {};      // none: only the default schedule
    std::optional<DescentSettings> descent = {};  // after the batch
    std::vector<ScheduleRequest> known = {};      // of earlier runs, to start from as well
    FinalsSettings finals = {};
};

// Whatever ends the run, what it has found so far takes part in the finals. The journal is saved.
Result<Finals> tune(Session &session, const TunePlan &plan);

}  // namespace autoschedule_gpu
