// Finds 32 weighted means of each column of a photograph's luma; see process.h.
#include "../common/mat_mul_process.h"
#include "process.h"
#include "wide_mat_mul_candidate.h"
#include "wide_mat_mul_manual.h"
#include "wide_mat_mul_reference.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(
        argc, argv,
        {.arguments =
             [](const Image &photograph) {
                 const Image right = luma(photograph);
                 const int rows = 32;
                 return Arguments{
                     .inputs = {{"a", weights(right.height(), rows, right.height())}, {"b", right}},
                     .outputs = {{"output", {right.width(), rows}}}};
             },
         .present = stretched,
         .reference = AUTOSCHEDULE_GPU_VARIANT(wide_mat_mul, reference),
         .candidates = {AUTOSCHEDULE_GPU_VARIANT(wide_mat_mul, candidate),
                        AUTOSCHEDULE_GPU_VARIANT(wide_mat_mul, manual)}});
}
