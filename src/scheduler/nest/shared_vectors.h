// How wide vectors are by which threads load and store Funcs in shared memory at one place, the
// same for all threads of a block. Of those Halide takes for granted that they are aligned wherever
// their Func comes to lie (scheduler/nest/shared_storage.h). Where the place depends on the thread,
// it finds out.
//
// What is loaded by a vector along a loop are the neighbours that its iterations read: four
// floats, or eight of which every second one is used.
#pragma once

#include <cstdint>

#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// Returns the bytes of the widest such vector, a power of two; 1 if there is none. Places of which
// it is not known how they depend on the thread count as one.
int64_t widest_shared_vector(const Dag &dag, const Kernel &kernel);

}  // namespace autoschedule_gpu
