// Multiplies a photograph's luma from the left by a matrix that turns it upside down and blurs it
// vertically with a wide Gaussian; see process.h.
#include <cmath>

#include "mat_mul_candidate.h"
#include "mat_mul_manual.h"
#include "mat_mul_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

namespace {

// Row y is a Gaussian around column size - 1 - y; the sum of a row in the middle is 1.
Image flip_and_blur(int size) {
    const float sigma = 6.0f;
    return make_image(size, size, [&](int k, int y) {
        const float distance = static_cast<float>(k - (size - 1 - y)) / sigma;
        return std::exp(-0.5f * distance * distance) / (2.5066283f * sigma);
    });
}

}  // namespace

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 const Image right = luma(photograph);
                                 const Image left = flip_and_blur(right.height());
                                 return Arguments{.inputs = {{"a", left}, {"b", right}},
                                                  .outputs = {{"output", shape_of(right)}}};
                             },
                         .present = stretched,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(mat_mul, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(mat_mul, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(mat_mul, manual)}});
}
