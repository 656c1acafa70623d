// Adds up a photograph's luma to the right and down; see process.h.
#include "process.h"
#include "summed_area_table_candidate.h"
#include "summed_area_table_manual.h"
#include "summed_area_table_reference.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 const Image grey = to_uint8(luma(photograph));
                                 return Arguments{.inputs = {{"input", grey}},
                                                  .outputs = {{"output", shape_of(grey)}}};
                             },
                         .present = stretched,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(summed_area_table, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(summed_area_table, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(summed_area_table, manual)}});
}
