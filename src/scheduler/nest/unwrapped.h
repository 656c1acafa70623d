// What stands behind wrappers that a kernel does not make.
#pragma once

#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// A wrapper that is inlined in the kernel is what it wraps; any other Func is itself.
FuncId unwrapped(const Dag &dag, const Kernel &kernel, FuncId func);

}  // namespace autoschedule_gpu
