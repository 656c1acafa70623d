// Asks for both sides of selects, whatever chooses between them.
//
// What a pipeline asks of its inputs depends on its schedule where a select chooses between Funcs:
//
//     out(x) = select(x < 9, a(x), b(x - 9))
//
//     a, b computed somewhere  Halide asks for a below 9 and for b from 9 on. At sizes where one
//                              side is chosen nowhere, its region is empty.
//     a, b inlined             both are read for every x, and inputs must hold that
//
// A pipeline that is changed by this reads, computed at root, all that any schedule of it reads.
#pragma once

#include <Halide.h>

namespace autoschedule_gpu::testing {

// Changes the definitions of `func`, which computes what it did.
void ask_for_both_sides(Halide::Func func);

}  // namespace autoschedule_gpu::testing
