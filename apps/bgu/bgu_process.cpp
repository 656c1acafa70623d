// Applies a local tone adjustment that was made at an eighth of a photograph's size to the
// photograph; see process.h.
#include <algorithm>
#include <cmath>

#include "bgu_candidate.h"
#include "bgu_manual.h"
#include "bgu_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

namespace {

constexpr int kScale = 8;  // the generator's

// The mean of the pixels of `image` that are within it and within the box.
float box_mean(const Image &image, int x0, int x1, int y0, int y1, int c) {
    const Halide::Runtime::Buffer<const float> from(image);
    float sum = 0;
    int count = 0;
    for (int y = std::max(y0, 0); y < std::min(y1, from.height()); y++) {
        for (int x = std::max(x0, 0); x < std::min(x1, from.width()); x++) {
            sum += from(x, y, c);
            count++;
        }
    }
    return sum / static_cast<float>(count);
}

Image reduced(const Image &photograph) {
    const int width = (photograph.width() + kScale - 1) / kScale;
    const int height = (photograph.height() + kScale - 1) / kScale;
    return make_image(width, height, 3, [&](int x, int y, int c) {
        return box_mean(photograph, x * kScale, (x + 1) * kScale, y * kScale, (y + 1) * kScale, c);
    });
}

// The operator: dark neighbourhoods are lit and bright ones are dimmed, and the result is warmer.
Image adjusted(const Image &small) {
    constexpr int kRadius = 6;
    constexpr float kTint[] = {1.08f, 1.0f, 0.86f};
    const Halide::Runtime::Buffer<const float> from(small);
    const Image surround = make_image(small.width(), small.height(), [&](int x, int y) {
        float sum = 0;
        for (int c = 0; c < 3; c++) {
            sum += box_mean(small, x - kRadius, x + kRadius + 1, y - kRadius, y + kRadius + 1, c);
        }
        return sum / 3;
    });
    const Halide::Runtime::Buffer<const float> light(surround);
    return make_image(small.width(), small.height(), 3, [&](int x, int y, int c) {
        const float gain = std::sqrt(0.55f / (light(x, y) + 0.1f));
        return std::min(from(x, y, c) * gain * kTint[c], 1.0f);
    });
}

}  // namespace

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 const Image small = reduced(photograph);
                                 return Arguments{.inputs = {{"input", photograph},
                                                             {"low_input", small},
                                                             {"low_output", adjusted(small)}},
                                                  .outputs = {{"output", shape_of(photograph)}}};
                             },
                         .present = unchanged,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(bgu, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(bgu, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(bgu, manual)}});
}
