// What a user may have scheduled by hand before an autoscheduler sees the pipeline.
#pragma once

#include <Halide.h>

#include <string_view>

namespace autoschedule_gpu::random_pipelines {

struct HandSchedule {
    enum class Form : uint8_t {
        root,      // compute_root alone
        tiles,     // at root, in tiles on the GPU; updates too, where they have pure loops
        parallel,  // at root, with loops of the host
        vectors,
    };
    Halide::Func func;
    Form form = Form::root;
};

// Schedules the Func. A Func is scheduled once.
void apply(const HandSchedule &schedule);

// False of Funcs that no kernel, or not every API's, can hold: because of the types or operations
// of their own definitions, or because Halide 21 computes them and what reads them on one side only
// (memoized, async).
bool fits_every_kernel(const Halide::Func &func);

std::string_view to_string(HandSchedule::Form form);

}  // namespace autoschedule_gpu::random_pipelines
