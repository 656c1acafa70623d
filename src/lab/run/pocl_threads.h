// PoCL is an OpenCL device made of the CPU's cores, on which it runs a thread each.
#pragma once

namespace autoschedule_gpu {

// Asks PoCL to keep each thread on a core of its own. Otherwise two of them may share one, as the
// system happens to place them, for as long as the process lives, and all of its times are longer
// by half or more. Not asked for where this process may not run on every core, of which PoCL would
// want each all the same, nor where the environment already says POCL_AFFINITY.
//
// To be called before OpenCL's library is loaded, and while there is one thread.
void keep_pocl_threads_apart();

}  // namespace autoschedule_gpu
