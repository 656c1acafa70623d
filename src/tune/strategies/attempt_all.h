// Tries many schedules in parts, between which the clock and the user are asked.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/support/error.h"
#include "lab/workloads/schedule_request.h"
#include "tune/session/session.h"

namespace autoschedule_gpu {

// As many as are tried together.
inline constexpr size_t kPart = 16;

// As many of the requests, from the first on, as the budget allows. Returns their trials, by index,
// which are closed.
Result<std::vector<size_t>> attempt_all(Session &session,
                                        std::span<const ScheduleRequest> requests);

}  // namespace autoschedule_gpu
