// Presents a comparison as tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compare/rows/cross_resolution.h"
#include "compare/rows/loss_notes.h"
#include "compare/rows/presentation.h"
#include "compare/rows/row.h"
#include "present/table.h"

namespace autoschedule_gpu {

// Returns the main table: a section per application, a line per scheduler, a column per metric,
// with the best of each column marked. Below the line of a scheduler that failed is the reason.
Table comparison_table(const std::vector<ComparisonRow> &rows);

// Returns a line per scheduler: how many applications it did, and per metric the ratio to the
// baseline.
Table summary_table(const std::vector<ComparisonRow> &rows, std::string_view baseline);

// Returns where the scheduler loses, with the notes on why.
Table losses_table(const std::vector<ComparisonRow> &rows, std::string_view scheduler,
                   const std::vector<LossNote> &notes);

// Returns the applications for which others have a schedule and it has none; empty if there are
// none.
Table undone_table(const std::vector<ComparisonRow> &rows, std::string_view scheduler,
                   const std::vector<LossNote> &notes);

// Returns every failure with its reason and the command that reproduces it; empty if there is none.
Table failures_table(const std::vector<ComparisonRow> &rows);

// Returns what the device's roofs allow each schedule, and how much of it is reached (roofline.h).
// Empty if no row has its device's roofs.
Table roofline_table(const std::vector<ComparisonRow> &rows);

// Returns every kernel of a row; empty if there is none.
Table kernels_table(const ComparisonRow &row);

Table cross_table(const CrossTable &table);

// Returns the tables for readers without links and plots, in the order of reading; some may be
// empty. Commands are left out, because they name folders of one machine.
std::vector<Table> tables_for_text(const std::vector<ComparisonRow> &rows,
                                   const Presentation &presentation = {});
std::vector<Table> tables_for_text(const std::vector<CrossRow> &rows);

}  // namespace autoschedule_gpu
