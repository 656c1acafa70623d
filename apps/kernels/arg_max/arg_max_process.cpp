// Finds the brightest pixel of each row of a photograph's luma; see process.h.
#include "../common/picture.h"
#include "arg_max_candidate.h"
#include "arg_max_manual.h"
#include "arg_max_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 const Image grey = luma(photograph);
                                 return Arguments{.inputs = {{"input", grey}},
                                                  .outputs = {{"output.0", {grey.height()}},
                                                              {"output.1", {grey.height()}}}};
                             },
                         .present = broken_into_lines,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(arg_max, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(arg_max, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(arg_max, manual)}});
}
