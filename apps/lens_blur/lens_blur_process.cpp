// Makes a stereo pair of a photograph, with a disc before a background, and blurs all but the disc;
// see process.h.
#include <algorithm>

#include "lens_blur_candidate.h"
#include "lens_blur_manual.h"
#include "lens_blur_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

namespace {

constexpr int kNear = 20, kFar = 4;  // disparities

// The photograph is the left image. Where the disc hides what the right eye would see, the pixels
// beside it are seen twice.
Image right_view(const Image &photograph) {
    const Halide::Runtime::Buffer<const float> rgb(photograph);
    const int width = rgb.width(), height = rgb.height();
    const auto in_disc = [&](int x, int y) {
        const int dx = 2 * x - width, dy = 2 * y - height;
        const int diameter = std::min(width, height) * 3 / 4;
        return dx * dx + dy * dy < diameter * diameter;
    };
    return make_image(width, height, 3, [&](int x, int y, int c) {
        const int disparity = in_disc(x + kNear, y) ? kNear : kFar;
        return rgb(std::min(x + disparity, width - 1), y, c);
    });
}

}  // namespace

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 return Arguments{
                                     .inputs = {{"left", to_uint8(photograph)},
                                                {"right", to_uint8(right_view(photograph))}},
                                     .scalars = {{"focus", kNear}},
                                     .outputs = {{"output", shape_of(photograph)}}};
                             },
                         .present = unchanged,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(lens_blur, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(lens_blur, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(lens_blur, manual)}});
}
