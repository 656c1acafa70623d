// The roofline plots of a comparison, one for each device scheduled for.
#pragma once

#include <vector>

#include "compare/rows/row.h"
#include "present/plot.h"

namespace autoschedule_gpu {

// Returns plots with a predicted and a measured point for each schedule that has them, under the
// device's roofs. Devices without a point have no plot. A scheduler's series is its position in
// schedulers_of(rows).
std::vector<RooflinePlot> roofline_plots(const std::vector<ComparisonRow> &rows);

}  // namespace autoschedule_gpu
