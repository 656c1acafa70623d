// What the process programs of conv_layer and of its NHWC variant share: a batch of images, made
// from the photograph, and weights that look for edges.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include "process.h"

namespace autoschedule_gpu::apps {

enum class Layout { kNchw, kNhwc };

inline constexpr int kLayerChannels = 64;  // in and out
inline constexpr int kLayerBatch = 4;

// A batch of images of floats, `value(x, y, channel, image)` at each position.
inline Image make_layer(int width, int height, Layout layout,
                        const std::function<float(int, int, int, int)> &value) {
    if (layout == Layout::kNchw) {
        Halide::Runtime::Buffer<float> image(width, height, kLayerChannels, kLayerBatch);
        image.for_each_element([&](int x, int y, int c, int n) {  //
            image(x, y, c, n) = value(x, y, c, n);
        });
        return image;
    }
    Halide::Runtime::Buffer<float> image(kLayerChannels, width, height, kLayerBatch);
    image.for_each_element([&](int c, int x, int y, int n) {  //
        image(c, x, y, n) = value(x, y, c, n);
    });
    return image;
}

// A position of the layer has all three colours of a block of 4x4 pixels (48 channels) and of the
// row below it. Each image of the batch is darker than the one before. Where the layer's input goes
// beyond the photograph, it repeats the last pixels.
inline Image layer_input(const Image &photograph, int width, int height, Layout layout) {
    const Halide::Runtime::Buffer<const float> from(photograph);
    return make_layer(width, height, layout, [&](int x, int y, int channel, int image) {
        const int pixel = channel / 3;
        return from(std::min(4 * x + pixel % 4, from.width() - 1),
                    std::min(4 * y + pixel / 4, from.height() - 1), channel % 3) /
               static_cast<float>(1 + image);
    });
}

// Weights of a derivative whose direction turns with the channel, from left to right in channel 0.
// That all weights differ makes a mistaken index show.
inline Image layer_filter() {
    Halide::Runtime::Buffer<float> filter(kLayerChannels, kLayerChannels, 3, 3);
    filter.for_each_element([&](int out, int in, int x, int y) {
        const float angle = 6.2831853f * static_cast<float>(out) / kLayerChannels;
        const float slope = std::cos(angle) * static_cast<float>(x - 1) +
                            std::sin(angle) * static_cast<float>(y - 1);
        const float ripple = 0.05f * std::sin(static_cast<float>(37 * in + 11 * x + 5 * y));
        filter(out, in, x, y) = (slope + ripple) / kLayerChannels;
    });
    return filter;
}

inline Arguments conv_layer_arguments(const Image &photograph, Layout layout) {
    const int width = std::max(photograph.width() / 4, 1);
    const int height = std::max(photograph.height() / 4, 1);
    Halide::Runtime::Buffer<float> bias(kLayerChannels);
    bias.for_each_element([&](int c) { bias(c) = 0.002f * static_cast<float>(c); });
    const Image like_output =
        make_layer(width, height, layout, [](int, int, int, int) { return 0.0f; });
    return Arguments{.inputs = {{"input", layer_input(photograph, width + 2, height + 2, layout)},
                                {"filter", layer_filter()},
                                {"bias", bias}},
                     .outputs = {{"output", shape_of(like_output)}}};
}

}  // namespace autoschedule_gpu::apps
