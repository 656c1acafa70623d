// Which plots a comparison has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compare/rows/row.h"
#include "present/plot.h"

namespace autoschedule_gpu {

// Search time, footprint, transactions and run time, each if any schedule that is ok has one. The
// series are the places in schedulers_of(rows).
std::vector<BarPlot> bar_plots(const std::vector<ComparisonRow> &rows);

// Figures of `scheduler` over those of `baseline`, for each of the same that both have.
std::vector<ScatterPlot> scatter_plots(const std::vector<ComparisonRow> &rows,
                                       std::string_view scheduler, std::string_view baseline);

}  // namespace autoschedule_gpu
