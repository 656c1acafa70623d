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
// the root stage; or the root stage's threads stride over its points, so that a copy's border needs
// no further threads, and of what has many short dimensions all threads compute some; or as many
// points as let it do with the root stage's threads, whose tile is narrower by what the Func needs
// around it (scheduler/space/fitted_members.h).
enum class MemberTile : uint8_t { given, one_point, like_root, cooperative, fitted };

// Whether the points of a Func that is no copy may be dealt to threads: it has one stage, and more
// dimensions than a block has axes, of which the shortest would keep most threads idle and the
// others stay whole in a thread.
bool may_be_dealt(const Dag &dag, FuncId func);

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
