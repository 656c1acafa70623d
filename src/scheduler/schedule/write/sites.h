// Where a stage is computed, and the loops in which others may be.
#pragma once

#include <optional>

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu::writing {

// Where a stage was found: its kernel, and the thread band in whose subtree it runs; null where
// there is none.
struct Home {
    const Kernel *kernel = nullptr;
    const Band *threads = nullptr;
};
Home home_of(const Nest &nest, StageId stage);

// The first loop over a kernel's blocks.
LoopRef block_site(const Dag &dag, const Kernel &kernel);

// The innermost loop of an update outside its threads.
LoopRef loop_site(const Dag &dag, BlockLoop loop);

// The loop over the tiles of a block that walks.
std::optional<LoopRef> walk_site(const Dag &dag, const Kernel &kernel);

// The first loop over threads.
LoopRef thread_site(const Dag &dag, const Kernel &kernel, const Band &threads);

}  // namespace autoschedule_gpu::writing
