// Finds Funcs that Halide refuses inline for what it proves of an index.
//
// Of ((x | 1) & 7) * 3 - 1 Halide knows that it is even, and so drops the clamp of
// max(((x | 1) & 7) * 3 - 1, 0). The bounds that it infers of the index know nothing of that, begin
// at -1, and the input is refused as too small. Such an index comes about where a Func that clamps
// is inlined into one that reads it at a position made of bits or remainders.
#pragma once

#include <Halide.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "halide/read/read_stage.h"

namespace autoschedule_gpu::reading {

// Returns the names of the Funcs that are read at positions made of bits or remainders, and that
// read at clamped positions, themselves or by what may be inlined into them. `order` is Halide's
// order of realization, without a name that `env` lacks.
std::set<std::string> lose_clamps_inline(const std::vector<std::string> &order,
                                         const std::map<std::string, HI::Function> &env);

}  // namespace autoschedule_gpu::reading
