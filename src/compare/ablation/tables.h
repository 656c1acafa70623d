// Presents an ablation as the tables of Anderson et al. (2021): states (their table 1), search
// times (2), speedups (3), memory (5), and the predicted costs that are reached. Lines are
// applications, columns configurations. The last line of each table is the geometric mean over the
// applications that have a value in every column; `exhaustive` may lack some, and then has no mean.
// Searches that failed or were cut short do not count.
#pragma once

#include <string>
#include <vector>

#include "compare/ablation/row.h"
#include "present/table.h"

namespace autoschedule_gpu {

// `rows` must be of one size and gpu; `machine` is what the searches ran on. Configurations without
// any row have no column.
std::vector<Table> ablation_tables(const std::vector<AblationRow> &rows,
                                   const std::string &machine);

// The searches that failed, and why; empty if none did.
Table refusals_table(const std::vector<AblationRow> &rows);

}  // namespace autoschedule_gpu
