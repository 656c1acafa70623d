// Replaces every pixel of a photograph by the brightest one near it; see process.h.
#include "max_filter_candidate.h"
#include "max_filter_manual.h"
#include "max_filter_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 return Arguments{.inputs = {{"input", photograph}},
                                                  .outputs = {{"output", shape_of(photograph)}}};
                             },
                         .present = unchanged,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(max_filter, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(max_filter, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(max_filter, manual)}});
}
