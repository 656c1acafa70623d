// Scans: updates whose steps go on from what the step before has stored, as those of recursive
// filters and running sums do.
#pragma once

#include <cstddef>
#include <vector>

#include "core/dag/dag.h"

namespace autoschedule_gpu {

// Whether an access of the stage's own Func goes from one iteration of a loop to the next as what
// the stage stores does: in a scan, it is of what an iteration before has stored.
bool goes_as_stored(const Stage &stage, const AccessMatrix &access, size_t loop);

// Whether the steps of a loop go on from what the step before has stored.
bool is_scan_along(const Stage &stage, size_t loop);

// Fills Loop::reads_ahead; or says of all that they are not so.
void find_reads_ahead(Dag &dag);
void forget_reads_ahead(Dag &dag);

// The Funcs beside its own that a stage reads at other points in each iteration of a loop; each
// once.
std::vector<FuncId> read_along(const Stage &stage, size_t loop);

}  // namespace autoschedule_gpu
