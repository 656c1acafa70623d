// A contest as curves: the best so far of every strategy, over trials and over seconds.
#pragma once

#include <vector>

#include "present/plot.h"
#include "tune/contest/contest_run.h"

namespace autoschedule_gpu {

// Two per pipeline, or one where times are not known; series are strategies_of(runs).
std::vector<CurvePlot> contest_plots(const std::vector<ContestRun> &runs);

}  // namespace autoschedule_gpu
