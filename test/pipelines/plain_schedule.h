// The harness's stand-in for an autoscheduler: every Func (but those in `inline_only`) at root,
// every stage a kernel of its own with its pure loops over blocks and threads. Slow and sound;
// what it fails on is the harness's or the pipeline's fault.
#pragma once

#include <Halide.h>

#include <vector>

namespace autoschedule_gpu::testing {

void apply_plain_schedule(Halide::Pipeline pipeline, const std::vector<Halide::Func> &inline_only);

// The same on the CPU, without parallelism: the reference. It asks of the inputs what any schedule
// may (both_sides.h), so that they can be made for it and serve all.
void apply_reference_schedule(Halide::Pipeline pipeline,
                              const std::vector<Halide::Func> &inline_only);

}  // namespace autoschedule_gpu::testing
