// Groups rows that may be compared with each other: the same application at the same size,
// scheduled for the same gpu.
#pragma once

#include <string>
#include <vector>

#include "compare/rows/row.h"
#include "compare/rows/totals.h"

namespace autoschedule_gpu {

struct ComparedRow {
    const ComparisonRow *row;  // points into the rows that were grouped
    RowTotals totals;
};

struct ComparisonGroup {
    std::string title;  // the application, with size and gpu if they differ between groups
    std::vector<ComparedRow> rows;

    // Returns null if there is no row of that scheduler.
    const ComparedRow *find(std::string_view scheduler) const;
};

// Returns groups, and rows in them, in the order in which they first appear. `rows` must outlive
// them.
std::vector<ComparisonGroup> group_rows(const std::vector<ComparisonRow> &rows);

// Returns every scheduler once, in the order in which they first appear.
std::vector<std::string> schedulers_of(const std::vector<ComparisonRow> &rows);

}  // namespace autoschedule_gpu
