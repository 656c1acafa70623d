// Sends a photograph's luma through the chain, with the reference and the candidate build of the
// pipeline; see process.h.
#include "process.h"
#include "stencil_chain_candidate.h"
#include "stencil_chain_reference.h"

using autoschedule_gpu::apps::Image;

int main(int argc, char **argv) {
    return autoschedule_gpu::apps::process_main(
        argc, argv,
        {.prepare =
             [](const Image &photograph) {
                 return autoschedule_gpu::apps::to_uint16(autoschedule_gpu::apps::luma(photograph));
             },
         .allocate_output = [](const Image &input) { return Image::make_with_shape_of(input); },
         .present = autoschedule_gpu::apps::unchanged,
         .reference = {"reference", stencil_chain_reference, stencil_chain_reference_metadata()},
         .candidate = {"candidate", stencil_chain_candidate, stencil_chain_candidate_metadata()}});
}
