// Finds corners in a photograph; see process.h. The picture shows the positive part of the
// response: bright where a corner is.
#include <algorithm>
#include <cmath>

#include "harris_candidate.h"
#include "harris_manual.h"
#include "harris_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

namespace {

// The fourth root makes weak corners visible beside the strongest one.
Image corners(const Image &response) {
    const Halide::Runtime::Buffer<const float> from(response);
    float strongest = 1e-12f;
    from.for_each_value([&](float value) { strongest = std::max(strongest, value); });
    Halide::Runtime::Buffer<float> picture(from.width(), from.height());
    picture.for_each_element([&](int x, int y) {
        picture(x, y) = std::pow(std::max(from(x, y), 0.0f) / strongest, 0.25f);
    });
    return picture;
}

}  // namespace

int main(int argc, char **argv) {
    return process_main(
        argc, argv,
        {.arguments =
             [](const Image &photograph) {
                 return Arguments{
                     .inputs = {{"input", photograph}},
                     .scalars = {{"sensitivity", 0.04}},
                     .outputs = {{"output", {photograph.width(), photograph.height()}}}};
             },
         .present = corners,
         .reference = AUTOSCHEDULE_GPU_VARIANT(harris, reference),
         .candidates = {AUTOSCHEDULE_GPU_VARIANT(harris, candidate),
                        AUTOSCHEDULE_GPU_VARIANT(harris, manual)}});
}
