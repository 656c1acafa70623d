#include "scheduler/decisions/kinds/stage_kinds.h"

#include "scheduler/decisions/kinds/kernel_switch.h"
#include "scheduler/decisions/kinds/padding.h"
#include "scheduler/decisions/kinds/steps.h"
#include "scheduler/decisions/kinds/unroll.h"
#include "scheduler/nest/channel_vectors.h"
#include "scheduler/nest/multiples.h"
#include "scheduler/nest/pixel_vectors.h"
#include "scheduler/nest/step_vectors.h"
#include "scheduler/nest/thread_order.h"
#include "scheduler/nest/vectors.h"

namespace autoschedule_gpu {

StageKinds stage_kinds() {
    return {
        std::make_shared<const UnrollKind>(),
        std::make_shared<const StepsKind>(),
        std::make_shared<const KernelSwitch>("vectors", &Kernel::vectors, may_have_vectors),
        std::make_shared<const KernelSwitch>("step_vectors", &Kernel::step_vectors,
                                             may_have_step_vectors),
        std::make_shared<const KernelSwitch>("channel_vectors", &Kernel::channel_vectors,
                                             may_have_channel_vectors),
        std::make_shared<const KernelSwitch>("pixel_vectors", &Kernel::pixel_vectors,
                                             may_have_pixel_vectors),
        std::make_shared<const KernelSwitch>("multiples", &Kernel::multiples, may_have_multiples),
        std::make_shared<const KernelSwitch>(
            "along_stores", &Kernel::along_stores,
            [](const Dag &, const Kernel &kernel) { return may_exchange_threads(kernel); }),
        std::make_shared<const PaddingKind>()};
}

}  // namespace autoschedule_gpu
