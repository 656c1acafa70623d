// Lays a photograph's luma on its side, mirrored; see process.h.
#include "process.h"
#include "transpose_candidate.h"
#include "transpose_manual.h"
#include "transpose_reference.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(
        argc, argv,
        {.arguments =
             [](const Image &photograph) {
                 return Arguments{
                     .inputs = {{"input", luma(photograph)}},
                     .outputs = {{"output", {photograph.height(), photograph.width()}}}};
             },
         .present = unchanged,
         .reference = AUTOSCHEDULE_GPU_VARIANT(transpose, reference),
         .candidates = {AUTOSCHEDULE_GPU_VARIANT(transpose, candidate),
                        AUTOSCHEDULE_GPU_VARIANT(transpose, manual)}});
}
