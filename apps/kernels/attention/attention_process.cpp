// Lets the rows of a photograph's luma attend to each other, by 64 columns of each; see process.h.
#include <cmath>

#include "../common/mat_mul_process.h"
#include "attention_candidate.h"
#include "attention_manual.h"
#include "attention_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 const int head = 64, positions = photograph.height();
                                 const Image query = luma_of_size(photograph, head, positions);
                                 const Image key = make_image(head, positions, [&](int x, int y) {
                                     return std::sin(static_cast<float>(x * (1 + y % 7)));
                                 });
                                 return Arguments{
                                     .inputs = {{"query", query}, {"key", key}, {"value", query}},
                                     .outputs = {{"output", {head, positions}}}};
                             },
                         .present = stretched,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(attention, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(attention, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(attention, manual)}});
}
