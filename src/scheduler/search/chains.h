// Chains of Funcs at root that lead into one kernel, which reads all of them: the levels of a
// blocked scan, or what is computed from the coarse to the fine. In that kernel's blocks, one of
// them alone is no gain: what it reads is read once more, and its values go to memory all the same.
#pragma once

#include <optional>
#include <vector>

#include "scheduler/space/state.h"

namespace autoschedule_gpu {

struct Chain {
    std::vector<FuncId> links;  // at root, two or more, the first in the pipeline first
    FuncId reader;              // at root
};

// That which begins with `func`: everything that reads it, and what reads that, on the way to one
// reader. Nothing if it is not at root or has one reader only, if the chain is long, or if one of
// its links must stay at root.
std::optional<Chain> chain_from(const Dag &dag, const State &state, FuncId func);

// Whether a Func is at root and need not stay there.
bool may_leave_root(const Dag &dag, const State &state, FuncId func);

// The Funcs that are computed in the kernels of one at root.
std::vector<FuncId> members_of(const Dag &dag, const State &state, FuncId func);

}  // namespace autoschedule_gpu
