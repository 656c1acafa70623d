// The order of a Func's dimensions in memory, as a schedule may choose it (Halide's
// reorder_storage): one dimension is the innermost, the others follow as in the Func's arguments.
// What lanes of a warp read at neighbouring points, or at points near to each other that data
// decides, is then side by side.
#pragma once

#include <vector>

#include "core/dag/dag.h"

namespace autoschedule_gpu {

// Whether a schedule may choose it: the Func is between stages on the device, and nobody has chosen
// an order other than that of its arguments.
bool may_reorder_storage(const Dag &dag, FuncId func);

// Says of all Funcs that none may.
void keep_storage_orders(Dag &dag);

// The dimension that is innermost in memory, of a Func that may be reordered.
int innermost_dimension(const Func &func);

// The Func's dimensions, innermost first, as the pipeline or Func::stored_first says.
std::vector<int> storage_order(const Func &func);

// The same, if that dimension is innermost.
std::vector<int> dimensions_from(const Func &func, int innermost);

// The pipeline with that dimension of the Func innermost.
Dag with_innermost(Dag dag, FuncId func, int dim);

}  // namespace autoschedule_gpu
