// Turns a planar photograph into one whose channels alternate; see process.h.
#include "process.h"
#include "rgb_interleave_candidate.h"
#include "rgb_interleave_manual.h"
#include "rgb_interleave_reference.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(
        argc, argv,
        {.arguments =
             [](const Image &photograph) {
                 return Arguments{
                     .inputs = {{"input", to_uint8(photograph)}},
                     .outputs = {{"output", {3, photograph.width(), photograph.height()}}}};
             },
         // Its red channel as a picture.
         .present = [](const Image &output) { return output.sliced(0, 0); },
         .reference = AUTOSCHEDULE_GPU_VARIANT(rgb_interleave, reference),
         .candidates = {AUTOSCHEDULE_GPU_VARIANT(rgb_interleave, candidate),
                        AUTOSCHEDULE_GPU_VARIANT(rgb_interleave, manual)}});
}
