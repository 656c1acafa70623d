// Finds 128 weighted means of a photograph's luma at every 128th position; see process.h.
#include "../common/mat_mul_process.h"
#include "deep_mat_mul_candidate.h"
#include "deep_mat_mul_manual.h"
#include "deep_mat_mul_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(
        argc, argv,
        {.arguments =
             [](const Image &photograph) {
                 const int size = 128;
                 const int depth = std::max(photograph.width() * photograph.height() / size, 1);
                 return Arguments{.inputs = {{"a", weights(depth, size, depth)},
                                             {"b", luma_of_size(photograph, size, depth)}},
                                  .outputs = {{"output", {size, size}}}};
             },
         .present = stretched,
         .reference = AUTOSCHEDULE_GPU_VARIANT(deep_mat_mul, reference),
         .candidates = {AUTOSCHEDULE_GPU_VARIANT(deep_mat_mul, candidate),
                        AUTOSCHEDULE_GPU_VARIANT(deep_mat_mul, manual)}});
}
