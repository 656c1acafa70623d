// Shows the edges of a photograph, in all directions, at a quarter of its size; see process.h.
#include <algorithm>
#include <cmath>

#include "depthwise_separable_conv_candidate.h"
#include "depthwise_separable_conv_manual.h"
#include "depthwise_separable_conv_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

namespace {

constexpr int kChannelsIn = 32, kChannelsOut = 64, kBatch = 4;

// Channel c of a pixel is a colour of one pixel in a block of 4x4; each image of the batch is
// darker than the one before.
Image blocks_of(const Image &photograph, int width, int height) {
    const Halide::Runtime::Buffer<const float> from(photograph);
    Halide::Runtime::Buffer<float> input(kChannelsIn, width, height, kBatch);
    input.for_each_element([&](int c, int x, int y, int n) {
        const int pixel = c / 3;
        input(c, x, y, n) = from(std::min(4 * x + pixel % 4, from.width() - 1),
                                 std::min(4 * y + pixel / 4, from.height() - 1), c % 3) /
                            static_cast<float>(1 + n);
    });
    return input;
}

// The derivative of each channel in a direction of its own: with the rectifier, edges in half of
// all directions are left in each channel.
Image edge_filter() {
    return make_image(kChannelsIn, 3, 3, [](int c, int x, int y) {
        const float angle = 6.2831853f * static_cast<float>(c) / kChannelsIn;
        return std::cos(angle) * static_cast<float>(x - 1) +
               std::sin(angle) * static_cast<float>(y - 1);
    });
}

// Channel out 0 is the mean of all channels in; the others have a ripple of weights, all
// different, so that a mistaken index shows.
Image mixing_matrix() {
    return make_image(kChannelsOut, kChannelsIn, [](int out, int in) {
        const float ripple = std::sin(static_cast<float>(out * (in + 3)));
        return (1.0f + 0.5f * ripple) / kChannelsIn;
    });
}

Image small_biases(int channels) {
    Halide::Runtime::Buffer<float> bias(channels);
    bias.for_each_element([&](int c) { bias(c) = -0.001f * static_cast<float>(c); });
    return bias;
}

Arguments arguments(const Image &photograph) {
    const int width = std::max(photograph.width() / 4, 1);
    const int height = std::max(photograph.height() / 4, 1);
    return Arguments{.inputs = {{"input", blocks_of(photograph, width, height)},
                                {"depth_filter", edge_filter()},
                                {"depth_bias", small_biases(kChannelsIn)},
                                {"point_filter", mixing_matrix()},
                                {"point_bias", small_biases(kChannelsOut)}},
                     .outputs = {{"output", {kChannelsOut, width, height, kBatch}}}};
}

}  // namespace

int main(int argc, char **argv) {
    return process_main(
        argc, argv,
        {.arguments = arguments,
         // Channel 0 of the first image.
         .present = [](const Image &output) { return stretched(output.sliced(0)); },
         .reference = AUTOSCHEDULE_GPU_VARIANT(depthwise_separable_conv, reference),
         .candidates = {AUTOSCHEDULE_GPU_VARIANT(depthwise_separable_conv, candidate),
                        AUTOSCHEDULE_GPU_VARIANT(depthwise_separable_conv, manual)}});
}
