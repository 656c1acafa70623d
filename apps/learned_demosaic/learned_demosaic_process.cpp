// Makes a mosaic from a photograph and demosaics it; see process.h. The weights are made, not
// trained: the network is the linear filter of Malvar, He & Cutler 2004 ("High-quality linear
// interpolation for demosaicing of Bayer-patterned color images"), carried through the layers by
// the first four channels, with a little random noise on all weights so that every channel counts.
#include <cstdint>
#include <string>

#include "learned_demosaic_candidate.h"
#include "learned_demosaic_manual.h"
#include "learned_demosaic_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

namespace {

constexpr int kLayers = 4;
constexpr int kChannels[kLayers + 1] = {4, 16, 16, 16, 12};

// Uniform in -1..1, the same on every machine.
class Noise {
public:
    float next() {
        state_ = state_ * 1664525u + 1013904223u;
        return static_cast<float>(state_ >> 8) / (1 << 23) - 1.0f;
    }

private:
    uint32_t state_ = 1;
};

enum Colour { kRed, kGreen, kBlue };

Colour colour_at(int x, int y) {
    if ((x & 1) == (y & 1)) return kGreen;
    return (y & 1) == 0 ? kRed : kBlue;
}

// The filter's weight of the sample (dx, dy) away from a pixel at (x, y) for one of its colours.
float filter_weight(Colour wanted, int x, int y, int dx, int dy) {
    const int ax = dx < 0 ? -dx : dx, ay = dy < 0 ? -dy : dy;
    const Colour here = colour_at(x, y);
    if (ax > 2 || ay > 2) return 0;
    if (wanted == here) return ax + ay == 0 ? 1.0f : 0.0f;
    const auto pick = [&](float centre, float beside_x, float beside_y, float diagonal, float far_x,
                          float far_y) {
        if (ax + ay == 0) return centre / 8;
        if (ax == 1 && ay == 0) return beside_x / 8;
        if (ax == 0 && ay == 1) return beside_y / 8;
        if (ax == 1 && ay == 1) return diagonal / 8;
        if (ax == 2 && ay == 0) return far_x / 8;
        if (ax == 0 && ay == 2) return far_y / 8;
        return 0.0f;
    };
    if (wanted == kGreen) return pick(4, 2, 2, 0, -1, -1);
    if (here != kGreen) return pick(6, 0, 0, 2, -1.5f, -1.5f);
    const bool beside_in_row = colour_at(x + 1, y) == wanted;
    return beside_in_row ? pick(5, 4, 0, -1, -1, 0.5f) : pick(5, 0, 4, -1, 0.5f, -1);
}

// What `base` has of a cell's channel in one colour.
float base_weight(Colour wanted, int site) {
    if (colour_at(site % 2, site / 2) != wanted) return 0;
    return wanted == kGreen ? 0.5f : 1.0f;
}

// Without noise. The window's cell is (cell_x, cell_y) away, each in -1..1.
float exact_weight(int layer, int to, int from, int cell_x, int cell_y) {
    const bool centre = cell_x == 0 && cell_y == 0;
    if (layer + 1 < kLayers) return centre && to == from && from < 4 ? 1.0f : 0.0f;
    if (from >= 4) return 0;
    const auto wanted = static_cast<Colour>(to % 3);
    const int x = to / 3 % 2, y = to / 6;
    const float filter =
        filter_weight(wanted, x, y, 2 * cell_x + from % 2 - x, 2 * cell_y + from / 2 - y);
    return centre ? filter - base_weight(wanted, from) : filter;
}

void add_network(Arguments &arguments) {
    Noise noise;
    for (int layer = 0; layer < kLayers; layer++) {
        const int to = kChannels[layer + 1], from = kChannels[layer];
        Halide::Runtime::Buffer<float> weights(to, from, 3, 3), bias(to);
        weights.for_each_element([&](int t, int f, int x, int y) {
            weights(t, f, x, y) = exact_weight(layer, t, f, x - 1, y - 1) + 0.002f * noise.next();
        });
        bias.for_each_value([&](float &value) { value = 0.002f * noise.next(); });
        arguments.inputs["weights_" + std::to_string(layer)] = weights;
        arguments.inputs["bias_" + std::to_string(layer)] = bias;
    }
}

Arguments arguments_of(const Image &photograph) {
    const Halide::Runtime::Buffer<const float> rgb(photograph);
    const Image mosaic = make_image(rgb.width(), rgb.height(),
                                    [&](int x, int y) { return rgb(x, y, colour_at(x, y)); });
    Arguments arguments{.inputs = {{"mosaic", mosaic}},
                        .outputs = {{"output", shape_of(photograph)}}};
    add_network(arguments);
    return arguments;
}

}  // namespace

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments = arguments_of,
                         .present = unchanged,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(learned_demosaic, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(learned_demosaic, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(learned_demosaic, manual)}});
}
