// What the process programs of matrix products share.
#pragma once

#include <algorithm>
#include <cmath>

#include "process.h"

namespace autoschedule_gpu::apps {

// Positive weights whose sum over k is about one for each row; all of them differ, which makes a
// mistaken index show.
inline Image weights(int depth, int rows) {
    return make_image(depth, rows, [&](int k, int y) {
        return (1.0f + 0.5f * std::sin(static_cast<float>(7 * k + 3 * y))) /
               static_cast<float>(depth);
    });
}

// The photograph's luma, mirrored and repeated to any size.
inline Image luma_of_size(const Image &photograph, int width, int height) {
    const Image grey = luma(photograph);
    const Halide::Runtime::Buffer<const float> from(grey);
    return make_image(width, height,
                      [&](int x, int y) { return from(x % from.width(), y % from.height()); });
}

}  // namespace autoschedule_gpu::apps
