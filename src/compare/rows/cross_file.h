// cross_resolution.json: a JSON array with one object per CrossRow, written and refused like
// results.json (comparison_file.h). "scheduled_for" and "run_at" are {"name": ..., "extents": ...}.
#pragma once

#include "compare/rows/cross_resolution.h"
#include "compare/rows/rows_file.h"

namespace autoschedule_gpu {

extern template struct RowsFile<CrossRow>;
using CrossFile = RowsFile<CrossRow>;

}  // namespace autoschedule_gpu
