// Whether a kernel has vectors (scheduler/nest/vectors.h), as the kind vectors of
// autoschedule_gpu/decision.h: on or off, a decision about the kernel's own stage.
#pragma once

#include "scheduler/schedule/stage_kind.h"

namespace autoschedule_gpu {

class VectorsKind : public StageKind {
public:
    std::string_view name() const override { return "vectors"; }
    std::vector<DecisionValue> choices(const Dag &dag, const GpuModel &gpu, const KernelPtr &kernel,
                                       StageId stage) const override;
    std::optional<DecisionValue> value(const Kernel &kernel, StageId stage) const override;
    Result<KernelPtr> decide(const Dag &dag, const KernelPtr &kernel, StageId stage,
                             const DecisionValue &value) const override;
};

}  // namespace autoschedule_gpu
