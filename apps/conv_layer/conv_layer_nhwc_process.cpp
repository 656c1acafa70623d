// The same with channels innermost; see conv_layer_process.cpp.
#include "conv_layer_inputs.h"
#include "conv_layer_nhwc_candidate.h"
#include "conv_layer_nhwc_manual.h"
#include "conv_layer_nhwc_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 return conv_layer_arguments(photograph, Layout::kNhwc);
                             },
                         .present = [](const Image &output) { return stretched(output.sliced(0)); },
                         .reference = AUTOSCHEDULE_GPU_VARIANT(conv_layer_nhwc, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(conv_layer_nhwc, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(conv_layer_nhwc, manual)}});
}
