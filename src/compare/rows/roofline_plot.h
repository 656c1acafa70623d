// The roofline plots of a comparison: one for each device scheduled for.
#pragma once

#include <vector>

#include "compare/rows/row.h"
#include "present/plot.h"

namespace autoschedule_gpu {

// A predicted and a measured point for each schedule that has them, all under the device's roofs.
// Devices without a point have no plot. The series are the places in schedulers_of(rows).
std::vector<RooflinePlot> roofline_plots(const std::vector<ComparisonRow> &rows);

}  // namespace autoschedule_gpu
