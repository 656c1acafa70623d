// Which short loops of a stage are unrolled in a thread (scheduler/nest/nest.h), as the kind unroll
// of autoschedule_gpu/decision.h: none; tile, those over points; or all, which adds reductions of
// known length.
//
// A choice that moves arrays of a thread from registers into memory is legal, but slow
// (src/halide/README.md, 'Arrays of a thread'). It is not offered, but followed if a list has it.
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
};

}  // namespace autoschedule_gpu
