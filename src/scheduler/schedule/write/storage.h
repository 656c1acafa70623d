// How a Func lies in memory: in which memory, which dimension is innermost, how far its rows are
// apart.
#pragma once

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"
#include "scheduler/schedule/write/directive_list.h"
#include "scheduler/schedule/write/sites.h"

namespace autoschedule_gpu::writing {

// Of a Func with a kernel of its own.
void write_root_storage(DirectiveList &out, FuncId func);

// Of one that is computed in a kernel's blocks or threads.
void write_member_storage(DirectiveList &out, const Home &home, FuncId func);

}  // namespace autoschedule_gpu::writing
