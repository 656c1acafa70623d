#include "scheduler/decisions/kinds/stage_kinds.h"

#include "scheduler/decisions/kinds/kernel_switch.h"
#include "scheduler/decisions/kinds/padding.h"
#include "scheduler/decisions/kinds/steps.h"
#include "scheduler/decisions/kinds/unroll.h"
#include "scheduler/nest/loads_ahead.h"
#include "scheduler/nest/multiples.h"
#include "scheduler/nest/thread_order.h"
#include "scheduler/nest/vector_options.h"

namespace autoschedule_gpu {

StageKinds stage_kinds() {
    StageKinds kinds = {std::make_shared<const UnrollKind>(), std::make_shared<const StepsKind>()};
    for (const auto &[name, is_on, may_have] : kVectorOptions) {
        kinds.push_back(std::make_shared<const KernelSwitch>(name, is_on, may_have));
    }
    kinds.push_back(
        std::make_shared<const KernelSwitch>("multiples", &Kernel::multiples, may_have_multiples));
    kinds.push_back(std::make_shared<const KernelSwitch>(
        "along_stores", &Kernel::along_stores,
        [](const Dag &, const Kernel &kernel) { return may_exchange_threads(kernel); }));
    kinds.push_back(
        std::make_shared<const KernelSwitch>("loads_ahead", &Kernel::loads_ahead, may_load_ahead));
    kinds.push_back(std::make_shared<const PaddingKind>());
    return kinds;
}

}  // namespace autoschedule_gpu
