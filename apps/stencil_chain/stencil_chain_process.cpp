// Sends a photograph's luma through the chain; see process.h.
#include "process.h"
#include "stencil_chain_candidate.h"
#include "stencil_chain_manual.h"
#include "stencil_chain_reference.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 const Image input = to_uint16(luma(photograph));
                                 return Arguments{.inputs = {{"input", input}},
                                                  .outputs = {{"output", shape_of(input)}}};
                             },
                         .present = unchanged,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(stencil_chain, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(stencil_chain, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(stencil_chain, manual)}});
}
