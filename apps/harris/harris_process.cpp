// Finds corners in a photograph with the reference and the candidate build of the pipeline; see
// process.h. The picture shows the positive part of the response: bright where a corner is.
#include <algorithm>
#include <cmath>

#include "harris_candidate.h"
#include "harris_reference.h"
#include "process.h"

using autoschedule_gpu::apps::Image;

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
    constexpr float kSensitivity = 0.04f;
    const auto reference = [](halide_buffer_t *input, halide_buffer_t *output) {
        return harris_reference(input, kSensitivity, output);
    };
    const auto candidate = [](halide_buffer_t *input, halide_buffer_t *output) {
        return harris_candidate(input, kSensitivity, output);
    };
    return autoschedule_gpu::apps::process_main(
        argc, argv,
        {.prepare = autoschedule_gpu::apps::unchanged,
         .allocate_output =
             [](const Image &input) {
                 return Image(halide_type_of<float>(), input.width(), input.height());
             },
         .present = corners,
         .reference = {"reference", reference, harris_reference_metadata()},
         .candidate = {"candidate", candidate, harris_candidate_metadata()}});
}
