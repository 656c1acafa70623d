// Finds weighted means of the first 16 rows of a photograph's luma, one for each row; see
// process.h.
#include "../common/mat_mul_process.h"
#include "low_rank_mat_mul_candidate.h"
#include "low_rank_mat_mul_manual.h"
#include "low_rank_mat_mul_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(
        argc, argv,
        {.arguments =
             [](const Image &photograph) {
                 const int depth = 16;
                 const int rows = photograph.height();
                 return Arguments{
                     .inputs = {{"a", weights(depth, rows, depth)},
                                {"b", luma_of_size(photograph, photograph.width(), depth)}},
                     .outputs = {{"output", {photograph.width(), rows}}}};
             },
         .present = stretched,
         .reference = AUTOSCHEDULE_GPU_VARIANT(low_rank_mat_mul, reference),
         .candidates = {AUTOSCHEDULE_GPU_VARIANT(low_rank_mat_mul, candidate),
                        AUTOSCHEDULE_GPU_VARIANT(low_rank_mat_mul, manual)}});
}
