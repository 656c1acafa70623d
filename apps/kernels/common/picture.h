// Inputs that process programs of this folder make from a photograph, and pictures of results that
// are none.
#pragma once

#include <algorithm>

#include "process.h"

namespace autoschedule_gpu::apps {

// The photograph's luma in reading order.
inline Image luma_in_a_line(const Image &photograph) {
    const Image grey = luma(photograph);
    const Halide::Runtime::Buffer<const float> from(grey);
    Halide::Runtime::Buffer<float> line(from.width() * from.height());
    line.for_each_element([&](int i) { line(i) = from(i % from.width(), i / from.width()); });
    return line;
}

// `present` of scalars: one grey pixel.
inline Image one_pixel(const Image &) {
    return make_image(1, 1, [](int, int) { return 0.5f; });
}

// `present` of a line: broken into lines of 256 values, without the rest.
inline Image broken_into_lines(const Image &line) {
    const int size = line.dim(0).extent();
    const int width = std::min(256, size);
    return stretched(Image(line.type(), const_cast<void *>(line.data()), {width, size / width}));
}

}  // namespace autoschedule_gpu::apps
