// What the process programs of matrix products share.
#pragma once

#include <algorithm>
#include <cmath>

#include "process.h"

namespace autoschedule_gpu::apps {

// One of `depth` positive weights whose sum is about one. All of them differ, which makes a
// mistaken index show.
inline float weight(int x, int y, int depth) {
    return (1.0f + 0.5f * std::sin(static_cast<float>(7 * x + 3 * y))) / static_cast<float>(depth);
}

inline Image weights(int width, int height, int depth) {
    return make_image(width, height, [&](int x, int y) { return weight(x, y, depth); });
}

// The photograph's luma, repeated to any size.
inline Image luma_of_size(const Image &photograph, int width, int height) {
    const Image grey = luma(photograph);
    const Halide::Runtime::Buffer<const float> from(grey);
    return make_image(width, height,
                      [&](int x, int y) { return from(x % from.width(), y % from.height()); });
}

}  // namespace autoschedule_gpu::apps
