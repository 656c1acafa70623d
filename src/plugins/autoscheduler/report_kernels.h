// The kernels of a schedule in its report: what each is predicted to take and why, what it moves
// and keeps, and its loops (the fields `predictions`, `loops` and `funcs` of report.h).
#pragma once

#include "core/json/json.h"
#include "plugins/autoscheduler/report.h"

namespace autoschedule_gpu {

// Launches in their order; null where the schedule has no nest.
Json predictions_json(const ReportInput &input);

// The loops of the kernels: of a nest, in the order of launch; else as the directives say.
Json loops_json(const ReportInput &input);

// The pipeline that is scheduled, producers first, with the place of each Func where there is a
// nest.
Json funcs_json(const ReportInput &input);

}  // namespace autoschedule_gpu
