// Smooths a photograph's luma while keeping its edges, with the reference and the candidate build
// of the pipeline; see process.h.
#include "bilateral_grid_candidate.h"
#include "bilateral_grid_reference.h"
#include "process.h"

using autoschedule_gpu::apps::Image;

int main(int argc, char **argv) {
    constexpr float kLevels = 10.0f;
    const auto reference = [](halide_buffer_t *input, halide_buffer_t *output) {
        return bilateral_grid_reference(input, kLevels, output);
    };
    const auto candidate = [](halide_buffer_t *input, halide_buffer_t *output) {
        return bilateral_grid_candidate(input, kLevels, output);
    };
    return autoschedule_gpu::apps::process_main(
        argc, argv,
        {.prepare = autoschedule_gpu::apps::luma,
         .allocate_output = [](const Image &input) { return Image::make_with_shape_of(input); },
         .present = autoschedule_gpu::apps::unchanged,
         .reference = {"reference", reference, bilateral_grid_reference_metadata()},
         .candidate = {"candidate", candidate, bilateral_grid_candidate_metadata()}});
}
