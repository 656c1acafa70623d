// The order of a block's threads: thread x goes along what the kernel's own stage stores side by
// side (choose_root_axes), or along the second of the dimensions that threads share. The second
// pays where much is loaded for each value that is stored, as in a product of matrices, and lies
// side by side only so (Kernel::along_stores).
#pragma once

#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// Whether the kernel's own stage has two dimensions of threads that may be exchanged. Threads that
// go on along rows are made for their order, kernels in one launch agree on theirs, and what else
// is computed in a block has threads that suit it.
bool may_exchange_threads(const Kernel &kernel);

}  // namespace autoschedule_gpu
