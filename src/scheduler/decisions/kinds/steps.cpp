#include "scheduler/decisions/kinds/steps.h"

#include "scheduler/nest/edit.h"

namespace autoschedule_gpu {

std::vector<DecisionValue> StepsKind::choices(const Dag &dag, const GpuModel &,
                                              const KernelPtr &kernel, StageId stage) const {
    const std::vector<int64_t> steps = possible_steps(dag, *kernel, stage);
    return {steps.begin(), steps.end()};
}

std::optional<DecisionValue> StepsKind::value(const Kernel &kernel, StageId stage) const {
    return find_innermost(kernel, stage)->steps;
}

Result<KernelPtr> StepsKind::decide(const Dag &dag, const KernelPtr &kernel, StageId stage,
                                    const DecisionValue &value) const {
    const int64_t *steps = std::get_if<int64_t>(&value);
    if (steps == nullptr || *steps < 1) return Error{"expected a number from 1"};
    return step_stage(dag, kernel, stage, *steps);
}

}  // namespace autoschedule_gpu
