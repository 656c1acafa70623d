// What stands for each original loop of a stage at each level while the stage is written, and in
// which order that is.
#pragma once

#include <optional>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu::writing {

// By loop; nothing where the loop has no part in the level.
using LevelLoops = std::vector<std::optional<LoopRef>>;

// `outside`: between blocks and threads.
struct StageLoops {
    LevelLoops block, outside, thread, serial;
    // Of a reduction loop of which some iterations are written out, those.
    LevelLoops steps;
    // Of threads that run again, over what is left of a region whose size is known at run time
    // only. No launch may have threads of such a number: Halide takes the most of any block without
    // knowing how the ends of a region belong together, be it more than a device has.
    LevelLoops again;
    // Around the threads of a block that walks: over its tiles; of a Func that slides along, over
    // what a step adds.
    LevelLoops walk;
};

// Of a kernel's own stage, of one that is computed in its blocks, and of one in its threads.
StageLoops root_loops(const Dag &dag, const Kernel &kernel);
StageLoops block_level_loops(const Dag &dag, const Kernel &kernel, const Band &threads);
StageLoops thread_level_loops(const Dag &dag, const Band &inner);

// Innermost first.
std::vector<LoopRef> block_loops(const Dag &dag, const Kernel &kernel, const StageLoops &loops);
std::vector<LoopRef> thread_loops(const Band &threads, const StageLoops &loops);
std::vector<LoopRef> serial_loops(const Dag &dag, const Band &inner, const StageLoops &loops);

// Puts those that are there behind the order.
void append(std::vector<LoopRef> &order, const LevelLoops &loops);

}  // namespace autoschedule_gpu::writing
