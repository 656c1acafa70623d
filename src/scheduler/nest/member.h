// How a Func inside the kernel of another was decided. A kernel records its members as edits put
// them there (nest/edit.h), so that nobody has to read decisions out of loops: a kernel that is
// tiled anew computes the same members over other regions, and a search decides the same again.
#pragma once

#include <cstdint>

#include "core/dag/dag.h"
#include "scheduler/nest/block_loop.h"
#include "scheduler/nest/place.h"

namespace autoschedule_gpu {

// The serial tile of a Func that is computed in a block. `given`: as listed. The others are for
// kernels that are tiled anew, whose regions are found only then: one point per thread; the tile of
// the root stage; or, for a copy, the root stage's threads stride over its points, so that its
// border needs no further threads; or as many points as let it do with the root stage's threads,
// whose tile is narrower by what the Func needs around it (scheduler/space/fitted_members.h).
enum class MemberTile : uint8_t { given, one_point, like_root, cooperative, fitted };

struct Member {
    FuncId func;
    Place place = Place::undecided;
    StageId site;  // threads: the stage in whose threads it is computed
    // loop: that in which it is computed. block_loop and block_outer_loop: that of its own update,
    // outside its threads.
    BlockLoop loop;
    MemberTile tile = MemberTile::given;  // in a block
};

}  // namespace autoschedule_gpu
