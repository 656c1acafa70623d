// What the journal of a run tells of its course: what was the best when, and what was predicted.
#pragma once

#include "tune/contest/contest_run.h"
#include "tune/contest/run_clock.h"
#include "tune/session/journal.h"

namespace autoschedule_gpu {

// Fills in `course`, `different`, `untrained` and `retrained`.
void add_course(const Journal &journal, const RunClock &clock, ContestRun &run);

}  // namespace autoschedule_gpu
