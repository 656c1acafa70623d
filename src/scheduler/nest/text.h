// Reads the text form of a nest back (tests write nests as text).
//
//     inline: gray                                  all kernels that use it
//     kernel out blocks x=4 y=8
//       blur threads x=34 y=10
//         blur serial x=1 y=1
//       out threads x=32 y=8
//         out serial x=1 y=1
//
// The innermost loops of a stage that are not unrolled as far as they may be end in `unroll none`
// or `unroll tile`. The threads of a Func in the block whose rows are padded end in `row` and the
// elements from one to the next (before `in`). `flat` threads are in one row, over which the axes
// run together. A stage is named as stage_name() does; an update is "hist.update(0)". Trip counts
// of 1 may be left out. The threads of an update whose reduction runs outside them end in `in
// loop`, or, where that is only the outermost loop of it, in `in outer_loop`; those of what is
// computed in that loop in `in` and the update. The line of a kernel whose blocks walk ends in
// `walk` and the loop with the tiles along it ("walk y=8"). "kernel f host" is a stage on the host,
// "kernel g with f ..." one in the launch of f.
#pragma once

#include <string_view>

#include "core/dag/dag.h"
#include "core/support/error.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// Errors name the line and what was expected there.
Result<Nest> parse_nest(const Dag &dag, std::string_view text);

}  // namespace autoschedule_gpu
