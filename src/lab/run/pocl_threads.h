// PoCL is an OpenCL device that consists of the CPU's cores. It runs one thread on each.
#pragma once

namespace autoschedule_gpu {

// Asks PoCL to bind each thread to a core of its own. Otherwise the system may place two of them on
// one core for as long as the process lives, and all of its times are longer by half or more. This
// does nothing if the process may not run on every core, because PoCL would bind to all of them
// regardless, or if the environment sets POCL_AFFINITY already.
//
// Must be called before OpenCL's library is loaded, and while there is only one thread.
void keep_pocl_threads_apart();

}  // namespace autoschedule_gpu
