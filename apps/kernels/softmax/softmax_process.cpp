// Takes the softmax of the rows of a photograph's luma, from which the bright ones keep least; see
// process.h.
#include "process.h"
#include "softmax_candidate.h"
#include "softmax_manual.h"
#include "softmax_reference.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 const Image grey = luma(photograph);
                                 return Arguments{.inputs = {{"input", grey}},
                                                  .outputs = {{"output", shape_of(grey)}}};
                             },
                         .present = stretched,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(softmax, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(softmax, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(softmax, manual)}});
}
