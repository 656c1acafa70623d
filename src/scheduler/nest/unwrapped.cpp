#include "scheduler/nest/unwrapped.h"

namespace autoschedule_gpu {

FuncId unwrapped(const Dag &dag, const Kernel &kernel, FuncId func) {
    while (dag.func(func).wraps.valid() && is_inlined(kernel, func)) func = dag.func(func).wraps;
    return func;
}

}  // namespace autoschedule_gpu
