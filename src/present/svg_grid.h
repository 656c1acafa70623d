// The grid of a plot with two logarithmic axes.
#pragma once

#include <string>

#include "present/log_scale.h"
#include "present/svg_labels.h"

namespace autoschedule_gpu {

// Returns its lines with the numbers beside them, and the axes, which are to the left of the box
// and below it.
std::string svg_grid(const PlotBox &box, const LogScale &across, const LogScale &up);

}  // namespace autoschedule_gpu
