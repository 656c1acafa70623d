// autotune worker: does the jobs that tuners put into the queue of a file of records.
#pragma once

namespace autoschedule_gpu {

// The worker's main(): argv[0] is "worker". Returns the exit status.
int autotune_worker(int argc, char **argv);

}  // namespace autoschedule_gpu
