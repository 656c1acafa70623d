// Chooses the plots of a comparison.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compare/rows/row.h"
#include "present/plot.h"

namespace autoschedule_gpu {

// Returns plots of search time, footprint, transactions and run time, each if any schedule that is
// ok has the figure. A scheduler's series is its position in schedulers_of(rows).
std::vector<DotPlot> dot_plots(const std::vector<ComparisonRow> &rows);

// Returns plots of `scheduler`'s figures over `baseline`'s, for each of the same metrics that both
// have.
std::vector<ScatterPlot> scatter_plots(const std::vector<ComparisonRow> &rows,
                                       std::string_view scheduler, std::string_view baseline);

}  // namespace autoschedule_gpu
