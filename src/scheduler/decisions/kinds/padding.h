// Whether rows of a Func in shared memory are padded (scheduler/nest/padding.h), as the kind
// padding of autoschedule_gpu/decision.h: on or off, a decision about the Func's first stage.
#pragma once

#include "scheduler/schedule/stage_kind.h"

namespace autoschedule_gpu {

class PaddingKind : public StageKind {
public:
    std::string_view name() const override { return "padding"; }
    std::vector<DecisionValue> choices(const Dag &dag, const GpuModel &gpu, const KernelPtr &kernel,
                                       StageId stage) const override;
    std::optional<DecisionValue> value(const Kernel &kernel, StageId stage) const override;
    Result<KernelPtr> decide(const Dag &dag, const KernelPtr &kernel, StageId stage,
                             const DecisionValue &value) const override;
};

}  // namespace autoschedule_gpu
