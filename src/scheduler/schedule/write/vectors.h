// Vectors of a thread: along rows, along pixels, and of channels.
#pragma once

#include <optional>
#include <vector>

#include "scheduler/nest/nest.h"
#include "scheduler/schedule/write/branches.h"
#include "scheduler/schedule/write/directive_list.h"
#include "scheduler/schedule/write/stage_loops.h"

namespace autoschedule_gpu::writing {

// Along rows, along pixels: the last of a stage's directives, for its other schedule is as this
// one, but for the vector.
void vectorize_rows(DirectiveList &out, const Kernel &kernel, StageId stage,
                    const StageLoops &loops, Tiles tiles);
void vectorize_pixels(DirectiveList &out, const Kernel &kernel, const StageLoops &loops,
                      Tiles tiles);

// Halide joins the stores, or loads, of channels that follow each other.
void bring_channels_inside(const Dag &dag, const Kernel &kernel, const StageLoops &loops,
                           std::vector<LoopRef> &order);

// Takes from the serial loops the one that is a vector by which the stage is stored: it is not to
// be unrolled.
std::optional<LoopRef> take_channels(const Dag &dag, const Kernel &kernel, StageId stage,
                                     StageLoops &loops, Tiles tiles);

// Asks for aligned rows of what a stage with vectors along rows stores and loads.
void ask_for_aligned_rows(Directive &directive, const Dag &dag, const Kernel &kernel,
                          StageId stage);

std::vector<api::InputBuffer> buffers(const Dag &dag, const std::vector<FuncId> &inputs);

}  // namespace autoschedule_gpu::writing
