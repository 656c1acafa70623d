// How many iterations of a reduction that stays a loop in a thread are written out, so that their
// loads are on their way together and the loop is closed less often (scheduler/nest/nest.h). As the
// kind steps of autoschedule_gpu/decision.h: a power of two.
#pragma once

#include "scheduler/schedule/stage_kind.h"

namespace autoschedule_gpu {

class StepsKind : public StageKind {
public:
    std::string_view name() const override { return "steps"; }
    std::vector<DecisionValue> choices(const Dag &dag, const GpuModel &gpu, const KernelPtr &kernel,
                                       StageId stage) const override;
    std::optional<DecisionValue> value(const Kernel &kernel, StageId stage) const override;
    Result<KernelPtr> decide(const Dag &dag, const KernelPtr &kernel, StageId stage,
                             const DecisionValue &value) const override;
};

}  // namespace autoschedule_gpu
