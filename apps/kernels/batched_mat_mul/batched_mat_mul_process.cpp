// Blurs the three channels of a photograph down its columns into 64 lines; see process.h.
#include "../common/mat_mul_process.h"
#include "batched_mat_mul_candidate.h"
#include "batched_mat_mul_manual.h"
#include "batched_mat_mul_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(
        argc, argv,
        {.arguments =
             [](const Image &photograph) {
                 const int depth = photograph.height();
                 const int rows = 64;
                 Halide::Runtime::Buffer<float> left(depth, rows, 3);
                 left.for_each_element(
                     [&](int k, int y, int n) { left(k, y, n) = weight(k, y + n, depth); });
                 return Arguments{.inputs = {{"a", left}, {"b", photograph}},
                                  .outputs = {{"output", {photograph.width(), rows, 3}}}};
             },
         .present = stretched,
         .reference = AUTOSCHEDULE_GPU_VARIANT(batched_mat_mul, reference),
         .candidates = {AUTOSCHEDULE_GPU_VARIANT(batched_mat_mul, candidate),
                        AUTOSCHEDULE_GPU_VARIANT(batched_mat_mul, manual)}});
}
