#include "scheduler/decisions/kinds/vectors.h"

#include <string>

#include "scheduler/nest/edit.h"
#include "scheduler/nest/vectors.h"

namespace autoschedule_gpu {

namespace {

const std::string kOff = "off", kOn = "on";

}  // namespace

std::vector<DecisionValue> VectorsKind::choices(const Dag &dag, const GpuModel &,
                                                const KernelPtr &kernel, StageId stage) const {
    if (stage != kernel->stage || !may_have_vectors(dag, *kernel)) return {kOn};
    return {kOff, kOn};
}

std::optional<DecisionValue> VectorsKind::value(const Kernel &kernel, StageId stage) const {
    return stage != kernel.stage || kernel.vectors ? kOn : kOff;
}

Result<KernelPtr> VectorsKind::decide(const Dag &, const KernelPtr &kernel, StageId stage,
                                      const DecisionValue &value) const {
    const std::string *name = std::get_if<std::string>(&value);
    if (name == nullptr || (*name != kOff && *name != kOn)) return Error{"expected off or on"};
    return stage == kernel->stage ? with_vectors(kernel, *name == kOn) : kernel;
}

}  // namespace autoschedule_gpu
