#include "lab/run/pocl_threads.h"

#include <sched.h>
#include <unistd.h>

#include <cstdlib>

namespace autoschedule_gpu {
namespace {

bool may_run_on_every_core() {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return false;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    for (long core = 0; core < cores; ++core) {
        if (!CPU_ISSET(static_cast<size_t>(core), &allowed)) return false;
    }
    return true;
}

}  // namespace

void keep_pocl_threads_apart() {
    constexpr int kKeepWhatIsSet = 0;
    if (may_run_on_every_core()) setenv("POCL_AFFINITY", "1", kKeepWhatIsSet);
}

}  // namespace autoschedule_gpu
