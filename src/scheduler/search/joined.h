// A kernel that comes to be computed in the blocks of the one that reads it, with all that is
// computed in it.
#pragma once

#include "scheduler/space/state.h"

namespace autoschedule_gpu {

struct Joined {
    FuncId func;  // at root, in a kernel of its own
    StageId kernel;
    StageId reader;  // at the root of the only kernel that reads it
    Tiling tiling;   // that the reader has then
};

}  // namespace autoschedule_gpu
