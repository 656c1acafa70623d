// Sharpens a photograph with the reference and the candidate build of the pipeline; see process.h.
#include "process.h"
#include "unsharp_candidate.h"
#include "unsharp_reference.h"

using autoschedule_gpu::apps::Image;

int main(int argc, char **argv) {
    constexpr float kSigma = 1.5f;
    constexpr float kStrength = 0.8f;
    const auto reference = [](halide_buffer_t *input, halide_buffer_t *output) {
        return unsharp_reference(input, kSigma, kStrength, output);
    };
    const auto candidate = [](halide_buffer_t *input, halide_buffer_t *output) {
        return unsharp_candidate(input, kSigma, kStrength, output);
    };
    return autoschedule_gpu::apps::process_main(
        argc, argv,
        {.prepare = autoschedule_gpu::apps::unchanged,
         .allocate_output = [](const Image &input) { return Image::make_with_shape_of(input); },
         .present = autoschedule_gpu::apps::unchanged,
         .reference = {"reference", reference, unsharp_reference_metadata()},
         .candidate = {"candidate", candidate, unsharp_candidate_metadata()}});
}
