// Reduction loops whose iterations meet in atomic operations: where the rules allow it, and how the
// threads of a block share them.
#pragma once

#include "dag/dag.h"
#include "gpu/gpu_model.h"
#include "nest/edit.h"
#include "nest/nest.h"
#include "space/rules.h"

namespace autoschedule_gpu {

// Whether blocks or threads may share the reduction loops of a stage. A rule that forbids what
// Halide would accept is counted.
bool allows_atomics(const Dag &dag, const RuleSet &rules, StageId stage, RuleCounts &counts);

// The same for one loop of a stage at root: no launch may have no block.
inline bool may_be_shared(const Loop &loop) {
    return !loop.parallel && !loop.may_be_empty;
}

// The same for a stage at root, which must also leave lanes of the device idle.
bool allows_atomics_at_root(const Dag &dag, const GpuModel &gpu, const RuleSet &rules,
                            StageId stage, RuleCounts &counts);

// Of `func`, which is computed in the block of the kernel: a reduction loop of each of its updates
// is shared by the threads that would be idle while it runs.
void share_reductions(const Dag &dag, const RuleSet &rules, KernelDraft &draft, FuncId func);

}  // namespace autoschedule_gpu
