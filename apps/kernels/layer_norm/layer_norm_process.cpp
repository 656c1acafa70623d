// Evens out the light of the rows of a photograph's luma; see process.h.
#include "layer_norm_candidate.h"
#include "layer_norm_manual.h"
#include "layer_norm_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(
        argc, argv,
        {.arguments =
             [](const Image &photograph) {
                 const Image grey = luma(photograph);
                 Halide::Runtime::Buffer<float> gain(grey.width()), bias(grey.width());
                 gain.for_each_element(
                     [&](int x) { gain(x) = 1.0f + 0.25f * static_cast<float>(x % 3); });
                 bias.for_each_element([&](int x) { bias(x) = 0.1f * static_cast<float>(x % 5); });
                 return Arguments{.inputs = {{"input", grey}, {"gain", gain}, {"bias", bias}},
                                  .outputs = {{"output", shape_of(grey)}}};
             },
         .present = stretched,
         .reference = AUTOSCHEDULE_GPU_VARIANT(layer_norm, reference),
         .candidates = {AUTOSCHEDULE_GPU_VARIANT(layer_norm, candidate),
                        AUTOSCHEDULE_GPU_VARIANT(layer_norm, manual)}});
}
