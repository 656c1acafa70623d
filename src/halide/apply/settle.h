// Conditions of schedules that were made through Halide's Python binding, which takes them on
// parameters alone. Parameters of certain names stand for what the binding can't name:
//
//     autoschedule_gpu:blur.s0.x.max    the variable "blur.s0.x.max" of lowered code: where what is
//                                       computed of blur ends; "in.stride.1": of a buffer
//     autoschedule_gpu:fours:r$x        of that loop of the stage's reduction: it begins at a
//                                       multiple of four and has whole fours of iterations
//     autoschedule_gpu:address:in       whether that buffer begins at a multiple of 16 bytes on the
//                                       device (halide/apply/device_address.h)
#pragma once

#include <Halide.h>

namespace autoschedule_gpu {

// Puts those in their place, in the conditions of all specializations of all stages. Everything
// else stays as it is.
void settle_conditions(const Halide::Pipeline &pipeline);

}  // namespace autoschedule_gpu
