// Finds 32 weighted means of each row of a photograph's luma; see process.h.
#include "../common/mat_mul_process.h"
#include "process.h"
#include "tall_mat_mul_candidate.h"
#include "tall_mat_mul_manual.h"
#include "tall_mat_mul_reference.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(
        argc, argv,
        {.arguments =
             [](const Image &photograph) {
                 const Image left = luma(photograph);
                 const int columns = 32;
                 return Arguments{
                     .inputs = {{"a", left}, {"b", weights(columns, left.width(), left.width())}},
                     .outputs = {{"output", {columns, left.height()}}}};
             },
         .present = stretched,
         .reference = AUTOSCHEDULE_GPU_VARIANT(tall_mat_mul, reference),
         .candidates = {AUTOSCHEDULE_GPU_VARIANT(tall_mat_mul, candidate),
                        AUTOSCHEDULE_GPU_VARIANT(tall_mat_mul, manual)}});
}
