// Which steps of a scan load what they read together, before the first of them stores.
//
// Of two arrays in global memory whose strides are known at run time only, compilers do not see
// that a step's store leaves alone what the next step loads, so that load and store alternate, and
// each step waits for memory (measured on an H200: 400 cycles a step down the columns of an image,
// and 50 where 32 loads come first). So a thread copies what several steps (Band::steps) read into
// registers and then makes the steps. Halide must know when it compiles that there are so many: the
// update has one schedule more, for where its steps are a multiple, and makes one step at a time
// elsewhere (scheduler/schedule/write/steps_of_copies.h). This goes beyond the papers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

struct LoadsAhead {
    size_t loop = 0;  // of the update
    int64_t steps = 1;
    std::vector<FuncId> reads;
};

// Those of a kernel's own stage; none if there are no such steps, or the kernel has them switched
// off.
std::optional<LoadsAhead> loads_ahead(const Dag &dag, const Kernel &kernel, StageId stage);

// Whether the kernel could have them, be they switched off.
bool may_load_ahead(const Dag &dag, const Kernel &kernel);

}  // namespace autoschedule_gpu
