#include "scheduler/decisions/kinds/kernel_switch.h"

#include <string>

#include "scheduler/decisions/kinds/on_off.h"
#include "scheduler/nest/edit.h"

namespace autoschedule_gpu {

std::vector<DecisionValue> KernelSwitch::choices(const Dag &dag, const GpuModel &,
                                                 const KernelPtr &kernel, StageId stage) const {
    if (stage != kernel->stage || !exists_(dag, *kernel)) return {kOn};
    return {kOff, kOn};
}

std::optional<DecisionValue> KernelSwitch::value(const Kernel &kernel, StageId stage) const {
    return stage != kernel.stage || kernel.*is_on_ ? kOn : kOff;
}

Result<KernelPtr> KernelSwitch::decide(const Dag &, const KernelPtr &kernel, StageId stage,
                                       const DecisionValue &value) const {
    const std::string *name = std::get_if<std::string>(&value);
    if (name == nullptr || (*name != kOff && *name != kOn)) return Error{"expected off or on"};
    return stage == kernel->stage ? switched(kernel, is_on_, *name == kOn) : kernel;
}

}  // namespace autoschedule_gpu
