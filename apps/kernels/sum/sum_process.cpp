// Sums a photograph's luma; see process.h.
#include "../common/picture.h"
#include "process.h"
#include "sum_candidate.h"
#include "sum_manual.h"
#include "sum_reference.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 return Arguments{.inputs = {{"input", luma_in_a_line(photograph)}},
                                                  .outputs = {{"output", {}}}};
                             },
                         .present = one_pixel,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(sum, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(sum, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(sum, manual)}});
}
