// ablation.json: a JSON array with one object per AblationRow. Its fields are the members of
// AblationRow, SearchFigures and PhaseTime by name, with `status` and `reason` for the failure as
// in results.json (compare/rows/comparison_file.h). It refuses what that file refuses, a row that
// is ok without `search`, and two rows of one application, configuration, size and gpu.
#pragma once

#include <vector>

#include "compare/ablation/row.h"
#include "compare/rows/rows_file.h"

namespace autoschedule_gpu {

extern template struct RowsFile<AblationRow>;
using AblationFile = RowsFile<AblationRow>;

// Returns true if both are of the same application, configuration, size and gpu.
bool same_entry(const AblationRow &a, const AblationRow &b);

// Returns `rows`, followed by those of `earlier` that are about none of the same things.
std::vector<AblationRow> merged(std::vector<AblationRow> rows,
                                const std::vector<AblationRow> &earlier);

}  // namespace autoschedule_gpu
