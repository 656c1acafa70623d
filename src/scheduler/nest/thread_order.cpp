#include "scheduler/nest/thread_order.h"

namespace autoschedule_gpu {

bool may_exchange_threads(const Kernel &kernel) {
    const Band *const threads = root_threads(kernel);
    if (threads == nullptr || threads->axes.size() < 2 || kernel.with.valid()) return false;
    return kernel.blocks->body.size() == 1 && !has_whole_rows(kernel.tiling);
}

}  // namespace autoschedule_gpu
