// A condition of schedules that make several steps of a reduction at once.
#pragma once

#include <Halide.h>

#include <string>

namespace autoschedule_gpu {

// Whether a loop of an update's reduction has a multiple of that many iterations. By an equation
// with the extent alone on one side Halide replaces it. Of an extent that Halide knows it is not
// asked: then who schedules knows it, too.
inline Halide::Expr has_whole_steps(const Halide::Internal::Definition &update,
                                    const std::string &loop, int steps) {
    namespace ir = Halide::Internal;
    for (const ir::ReductionVariable &variable : update.schedule().rvars()) {
        if (variable.var != loop || ir::is_const(variable.extent)) continue;
        return variable.extent == variable.extent / steps * steps;
    }
    return ir::const_true();
}

}  // namespace autoschedule_gpu
