// results.json: a JSON array with one object per ComparisonRow. Its fields are the members of
// ComparisonRow and RowKernel by name, but for
//
//     status            "ok" or "failed"
//     reason            null, or "KIND: sentence" with a KIND of kFailureKindNames
//     *_interval        [low, high] or null
//     blocks, threads   [x, y, z], null for what is known only at run time
//
// Every field is present; what is unknown is null. rows_file.h says what is refused; beyond that, a
// reason that contradicts the status, and "ok" with a wrong output, are refused. Two rows are about
// the same thing if application, scheduler, size and gpu agree, because a file is of one device.
#pragma once

#include "compare/rows/row.h"
#include "compare/rows/rows_file.h"

namespace autoschedule_gpu {

extern template struct RowsFile<ComparisonRow>;
using ComparisonFile = RowsFile<ComparisonRow>;

}  // namespace autoschedule_gpu
