// The decision which of a stage's loops in a thread are unrolled, if they are short
// (scheduler/nest/nest.h):
//
//   unroll       of a stage that is not inlined
//                  none        none
//                  tile        those over points
//                  all         these, and reductions of known length
//
// Choices that would move arrays of a thread from registers into memory are left out, which is
// legal, but slow (src/halide/README.md, 'Arrays of a thread'); a list that has one is followed all
// the same.
#pragma once

#include "scheduler/schedule/stage_kind.h"

namespace autoschedule_gpu {

class UnrollKind : public StageKind {
public:
    std::string_view name() const override { return "unroll"; }
    std::vector<DecisionValue> choices(const Dag &dag, const GpuModel &gpu, const KernelPtr &kernel,
                                       StageId stage) const override;
    std::optional<DecisionValue> value(const Kernel &kernel, StageId stage) const override;
    Result<KernelPtr> decide(const Dag &dag, const KernelPtr &kernel, StageId stage,
                             const DecisionValue &value) const override;
    // None: a stage's loops are unrolled among its other directives, before its threads are bound.
    Schedule directives(const Dag &, const Kernel &, StageId) const override { return {}; }
};

}  // namespace autoschedule_gpu
