// Finds mean and variance of a photograph's luma; see process.h.
#include "../common/picture.h"
#include "process.h"
#include "variance_candidate.h"
#include "variance_manual.h"
#include "variance_reference.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 return Arguments{.inputs = {{"input", luma_in_a_line(photograph)}},
                                                  .outputs = {{"mean", {}}, {"variance", {}}}};
                             },
                         .present = one_pixel,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(variance, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(variance, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(variance, manual)}});
}
