// Adds up a photograph's grey values in reading order; see process.h.
#include "../common/picture.h"
#include "prefix_sum_candidate.h"
#include "prefix_sum_manual.h"
#include "prefix_sum_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 const Image line = luma_in_a_line(photograph);
                                 const Halide::Runtime::Buffer<const float> from(line);
                                 Halide::Runtime::Buffer<int32_t> values(from.dim(0).extent());
                                 values.for_each_element([&](int i) {
                                     values(i) = static_cast<int32_t>(255.0f * from(i));
                                 });
                                 return Arguments{.inputs = {{"input", values}},
                                                  .outputs = {{"output", shape_of(values)}}};
                             },
                         .present = broken_into_lines,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(prefix_sum, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(prefix_sum, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(prefix_sum, manual)}});
}
