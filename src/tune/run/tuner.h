// A tuning run of one pipeline from its beginning to its end:
//
//     default schedule ─► strategies, one after the other (tune_strategy.h) ─► finals
//
// Strategies with draws of their own come first; then what the records know of earlier runs is
// tried, and strategies that start from the best that is known go on from there. The result is
// never slower than the default schedule, as far as the finals can tell.
#pragma once

#include <vector>

#include "core/support/error.h"
#include "lab/workloads/schedule_request.h"
#include "tune/session/session.h"
#include "tune/strategies/final_comparison.h"
#include "tune/strategies/tune_strategy.h"

namespace autoschedule_gpu {

struct TunePlan {
    TuneStrategies strategies = {};           // none: only the default schedule and what is known
    std::vector<ScheduleRequest> known = {};  // of earlier runs
    FinalsSettings finals = {};
};

// Whatever ends the run, what it has found so far takes part in the finals. The journal is saved.
// The finals are empty where the user has asked for the end before anything was measured.
Result<Finals> tune(Session &session, const TunePlan &plan);

// After an error of tune(): what was measured until then is compared by its first measurements, as
// where the user has asked for the end. The journal is saved. Empty where nothing was measured.
Result<Finals> end_after_error(Session &session, const TunePlan &plan);

}  // namespace autoschedule_gpu
