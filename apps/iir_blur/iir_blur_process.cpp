// Blurs a photograph; see process.h.
#include "iir_blur_candidate.h"
#include "iir_blur_manual.h"
#include "iir_blur_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 return Arguments{.inputs = {{"input", photograph}},
                                                  .scalars = {{"alpha", 0.1}},
                                                  .outputs = {{"output", shape_of(photograph)}}};
                             },
                         .present = unchanged,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(iir_blur, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(iir_blur, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(iir_blur, manual)}});
}
