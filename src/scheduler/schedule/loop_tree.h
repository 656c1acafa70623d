// The loops of a schedule for people: which run as blocks, threads and in a thread, what is
// computed in them and in which memory. A kernel is a tree, made of the nest that the search
// decided or, where a schedule was given as directives, of these; so that both are shown in the
// same way.
//
//     blocks of output
//       ├ threads of blur_y            in shared memory
//       │   └ serial loops of blur_y
//       └ threads of output
//           └ serial loops of output
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/dag/dag.h"
#include "core/support/memory_kind.h"
#include "scheduler/nest/nest.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

struct TreeLoop {
    std::string name = {};
    std::optional<int64_t> extent = {};  // none: known only at run time, or of tiles that are left
    int64_t written_out = 1;             // iterations that are written out one after the other
};

struct LoopTree {
    std::string stage = {};                  // "blur_y", "hist.update(0)"
    Level level = Level::serial;             // `block` at the top
    std::vector<TreeLoop> loops = {};        // innermost first; those of one iteration are left out
    MemoryKind memory = MemoryKind::global;  // where the values of the stage are stored
    std::string in_loop_of =
        {};  // the update in whose reduction it runs, outside the threads; or empty
    std::vector<LoopTree> body = {};  // executed in order
};

// Requires a kernel on the device.
LoopTree loop_tree(const Dag &dag, const Kernel &kernel);

// What directives do not say is how much of a Func a block or a thread needs that computes it for
// another: those extents are not known.
//
// One tree per stage with blocks, in the order of the directives, for tiles that are full. Stages
// without blocks and all that is computed in them are left out: they run on the host.
std::vector<LoopTree> loop_trees(const Schedule &schedule);

}  // namespace autoschedule_gpu
