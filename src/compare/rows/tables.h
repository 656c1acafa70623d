// What a comparison says, as tables.
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

// The big one: a section per application, a line per scheduler, a column per metric, the best of
// each column marked; why a scheduler failed stands below its line.
Table comparison_table(const std::vector<ComparisonRow> &rows);

// A line per scheduler: applications done, and per metric the ratio to the baseline.
Table summary_table(const std::vector<ComparisonRow> &rows, std::string_view baseline);

// Where the scheduler loses, with the notes on why.
Table losses_table(const std::vector<ComparisonRow> &rows, std::string_view scheduler,
                   const std::vector<LossNote> &notes);

// Applications that others did and it did not. Empty if there is none.
Table undone_table(const std::vector<ComparisonRow> &rows, std::string_view scheduler,
                   const std::vector<LossNote> &notes);

// Every failure with its reason and the command that reproduces it. Empty if there is none.
Table failures_table(const std::vector<ComparisonRow> &rows);

// What the roofs of the device let each schedule reach, and how much of it is reached
// (roofline.h). Empty if no row tells its device's roofs.
Table roofline_table(const std::vector<ComparisonRow> &rows);

// Every kernel of a row. Empty if there is none.
Table kernels_table(const ComparisonRow &row);

Table cross_table(const CrossTable &table);

// What a reader without links and plots gets, in the order of reading. Empty tables are among them.
// Commands are left out, because they name folders of one machine.
std::vector<Table> tables_for_text(const std::vector<ComparisonRow> &rows,
                                   const Presentation &presentation = {});
std::vector<Table> tables_for_text(const std::vector<CrossRow> &rows);

}  // namespace autoschedule_gpu
