// What schedules for several sizes need that are made through Halide's Python binding, which copies
// no Funcs. Several pipelines come as the outputs of one, in a row.
#pragma once

#include <Halide.h>

#include <cstddef>

namespace autoschedule_gpu {

// `pipelines`: the outputs of the pipeline that is copied, and as many Funcs that become those of
// the copy (copy_for_sizes in halide/apply/sized_copy.h).
void copy_into_second(const Halide::Pipeline &pipelines, size_t number);

// `pipelines`: a Func whose value is the condition; the outputs of the pipeline, and those of its
// copy (compute_as_in).
void compute_as_in_second(const Halide::Pipeline &pipelines);

}  // namespace autoschedule_gpu
