// Sums up each scheduler in one line: how many applications it did, and how it compares with a
// baseline.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/rows/metrics.h"
#include "compare/rows/row.h"

namespace autoschedule_gpu {

struct SummaryCell {
    int apps = 0;  // groups in which both are ok and have a value
    // Geometric mean of value / baseline's value. Empty if no group has both values, or if in some
    // group exactly one of the two is zero; only the totals can then be compared.
    std::optional<double> ratio;
    double total = 0;
    double baseline_total = 0;
};

struct SummaryLine {
    std::string scheduler;
    int ok = 0;
    int asked = 0;                   // number of its rows
    int verified = 0;                // number of those that are ok and verified
    std::vector<SummaryCell> cells;  // one per metric, in the order of comparison_metrics()
};

// Returns the schedulers in the order in which they first appear, including the baseline.
std::vector<SummaryLine> summarise(const std::vector<ComparisonRow> &rows,
                                   std::string_view baseline);

}  // namespace autoschedule_gpu
