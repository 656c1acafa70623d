// Smooths a photograph's luma while keeping its edges; see process.h.
#include "bilateral_grid_candidate.h"
#include "bilateral_grid_manual.h"
#include "bilateral_grid_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 const Image input = luma(photograph);
                                 return Arguments{.inputs = {{"input", input}},
                                                  .scalars = {{"levels", 10}},
                                                  .outputs = {{"output", shape_of(input)}}};
                             },
                         .present = unchanged,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(bilateral_grid, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(bilateral_grid, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(bilateral_grid, manual)}});
}
