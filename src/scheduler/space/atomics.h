// Reduction loops whose iterations meet in atomic operations: where the rules allow it, and how the
// threads of a block share them.
#pragma once

#include "core/dag/dag.h"
#include "core/gpu/gpu_model.h"
#include "scheduler/nest/edit.h"
#include "scheduler/nest/nest.h"
#include "scheduler/rules/rule_book.h"

namespace autoschedule_gpu {

// Whether blocks or threads may share the loop of a stage at root: no launch may have no block.
inline bool may_be_shared(const Loop &loop) {
    return !loop.parallel && !loop.may_be_empty;
}

// Whether they may share the reduction loops of a stage at root that may be shared, and there is
// one. A rule that forbids what Halide would accept is counted.
bool allows_atomics_at_root(const Dag &dag, const GpuModel &gpu, const RuleBook &rules,
                            StageId stage, RuleCounts &counts);

// Of `func`, which is computed in the block of the kernel: a reduction loop of each of its updates
// is shared by the threads that would be idle while it runs.
void share_reductions(const Dag &dag, const GpuModel &gpu, const RuleBook &rules,
                      KernelDraft &draft, FuncId func);

}  // namespace autoschedule_gpu
