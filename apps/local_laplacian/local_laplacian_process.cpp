// Brings out the details of a photograph and keeps its edges free of halos; see process.h.
#include "local_laplacian_candidate.h"
#include "local_laplacian_manual.h"
#include "local_laplacian_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(
        argc, argv,
        {.arguments =
             [](const Image &photograph) {
                 return Arguments{.inputs = {{"input", to_uint16(photograph)}},
                                  .scalars = {{"sigma", 0.15}, {"detail", 1.0}, {"contrast", 0.8}},
                                  .outputs = {{"output", shape_of(photograph)}}};
             },
         .present = unchanged,
         .reference = AUTOSCHEDULE_GPU_VARIANT(local_laplacian, reference),
         .candidates = {AUTOSCHEDULE_GPU_VARIANT(local_laplacian, candidate),
                        AUTOSCHEDULE_GPU_VARIANT(local_laplacian, manual)}});
}
