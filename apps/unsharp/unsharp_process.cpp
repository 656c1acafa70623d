// Sharpens a photograph; see process.h.
#include "process.h"
#include "unsharp_candidate.h"
#include "unsharp_manual.h"
#include "unsharp_reference.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 return Arguments{.inputs = {{"input", photograph}},
                                                  .scalars = {{"sigma", 1.5}, {"strength", 0.8}},
                                                  .outputs = {{"output", shape_of(photograph)}}};
                             },
                         .present = unchanged,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(unsharp, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(unsharp, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(unsharp, manual)}});
}
