// Shows edges of a photograph, dark on their left, at a quarter of its size; see process.h.
#include "conv_layer_candidate.h"
#include "conv_layer_inputs.h"
#include "conv_layer_manual.h"
#include "conv_layer_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 return conv_layer_arguments(photograph, Layout::kNchw);
                             },
                         .present = stretched,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(conv_layer, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(conv_layer, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(conv_layer, manual)}});
}
