// Presents what each kind of decision that can be switched off gains, and what it costs the search:
// the default search against one without the kind (autoscheduler.disable_decisions), as ratios.
#pragma once

#include <string>
#include <vector>

#include "compare/ablation/row.h"
#include "present/table.h"

namespace autoschedule_gpu {

// `rows` must be of one size and gpu, and of decision_configurations(); `machine` is what the
// searches ran on. Where a search failed or was cut short there is no ratio.
std::vector<Table> decision_tables(const std::vector<AblationRow> &rows,
                                   const std::string &machine);

}  // namespace autoschedule_gpu
