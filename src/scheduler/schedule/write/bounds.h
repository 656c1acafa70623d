// What Halide is promised about how far Funcs run, where it does not see it or must be sure of it.
#pragma once

#include <vector>

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"
#include "scheduler/schedule/write/directive_list.h"
#include "scheduler/schedule/write/sites.h"

namespace autoschedule_gpu::writing {

// The Funcs of which some thread loads or stores all points of the innermost dimension at once.
std::vector<FuncId> moved_by_channels(const Dag &dag, const Nest &nest);

// Of one of these: so that the distances along all other dimensions are multiples of what is loaded
// at once.
void bound_channels(DirectiveList &out, FuncId func);

// Of a Func in the aligned tiles of an output, whose guards hide how much is computed in them.
void bound_in_tiles(DirectiveList &out, const Home &home, FuncId func);

// Of an array in the threads of a Func with several stages, whose tiles guards may cut short: its
// size is what a whole tile needs, so that it is one of registers. False if they cut nothing short.
bool bound_behind_guards(DirectiveList &out, const Home &home, FuncId func);

}  // namespace autoschedule_gpu::writing
