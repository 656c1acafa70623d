// What is computed by whoever reads it, for it is read point by point.
#pragma once

#include "core/dag/dag.h"

namespace autoschedule_gpu {

// Whether all that read a Func do so at their own points; what a wrapper holds does not count as
// that.
bool is_read_point_by_point(const Dag &dag, FuncId func);

// Whether that is so, and the Func takes too few operations, or has too few readers, to be computed
// anywhere else.
bool is_computed_by_readers(const Dag &dag, FuncId func);

}  // namespace autoschedule_gpu
