// autotune worker: does what tuners put into the queue of a file of records.
#pragma once

namespace autoschedule_gpu {

// As main(); argv[0] is "worker".
int autotune_worker(int argc, char **argv);

}  // namespace autoschedule_gpu
