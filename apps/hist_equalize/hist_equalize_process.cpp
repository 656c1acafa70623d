// Spreads a photograph's luma over the whole range; see process.h.
#include "hist_equalize_candidate.h"
#include "hist_equalize_manual.h"
#include "hist_equalize_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 return Arguments{.inputs = {{"input", to_uint8(photograph)}},
                                                  .outputs = {{"output", shape_of(photograph)}}};
                             },
                         .present = unchanged,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(hist_equalize, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(hist_equalize, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(hist_equalize, manual)}});
}
