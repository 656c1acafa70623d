// Windows: Funcs that a kernel reads in windows which overlap from one tile to the next, and that
// its blocks might compute as they walk along (scheduler/nest/sliding.h), each point once. That
// takes the place of the Func, all that is computed with it, and the tiling of the reader, at once,
// which the passes of a search do not come to.
#pragma once

#include <optional>
#include <vector>

#include "scheduler/search/joined.h"

namespace autoschedule_gpu {

struct Window {
    FuncId func;
    std::vector<size_t> kernels;        // that come to be one, by their indices; the reader last
    std::optional<Joined> joined = {};  // of a Func at root; else it is computed in the reader
};

// Those of kernels that cost this share of the whole, at least; those read last come first. Where
// blocks walk already, what they compute is none.
std::vector<Window> windows(const Dag &dag, const State &state, double least_share);

}  // namespace autoschedule_gpu
