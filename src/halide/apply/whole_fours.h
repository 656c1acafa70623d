// A condition of schedules for vectors of four elements.
#pragma once

#include <Halide.h>

#include <string>

#include "halide/apply/whole_steps.h"

namespace autoschedule_gpu {

inline constexpr int kElements = 4;  // of a vector

// Whether a loop of a reduction begins at a multiple of four and has whole fours of iterations.
inline Halide::Expr has_fours(const Halide::Internal::Definition &update, const std::string &loop) {
    namespace ir = Halide::Internal;
    for (const ir::ReductionVariable &variable : update.schedule().rvars()) {
        if (variable.var != loop || ir::is_const(variable.extent)) continue;
        const Halide::Expr whole = has_whole_steps(update, loop, kElements);
        return ir::is_const(variable.min) ? whole : whole && variable.min % kElements == 0;
    }
    return ir::const_true();
}

}  // namespace autoschedule_gpu
