// Forgets most pixels of a photograph and fills them in again; see process.h.
#include <cstdint>

#include "interpolate_candidate.h"
#include "interpolate_manual.h"
#include "interpolate_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

namespace {

constexpr int kAlpha = 3;

// The same pseudo-random number in 0..1 for the same pixel, everywhere.
float noise(int x, int y) {
    uint32_t bits = static_cast<uint32_t>(x) * 0x9e3779b1u ^ static_cast<uint32_t>(y) * 0x85ebca77u;
    bits = (bits ^ (bits >> 15)) * 0x2c1b3c6du;
    bits = (bits ^ (bits >> 12)) * 0x297a2d39u;
    return static_cast<float>((bits ^ (bits >> 15)) >> 8) / (1 << 24);
}

// Known are fewer and fewer pixels from the left (all of them) to the right (one in fifty).
Image scattered_samples(const Image &photograph) {
    const Halide::Runtime::Buffer<const float> rgb(photograph);
    const float width = static_cast<float>(rgb.width());
    return make_image(rgb.width(), rgb.height(), kAlpha + 1, [&](int x, int y, int c) {
        const float left = 1.0f - x / width;
        const bool known = noise(x, y) < 0.02f + left * left * left;
        if (c == kAlpha) return known ? 1.0f : 0.0f;
        return known ? rgb(x, y, c) : 0.0f;
    });
}

}  // namespace

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 return Arguments{
                                     .inputs = {{"input", scattered_samples(photograph)}},
                                     .outputs = {{"output", shape_of(photograph)}}};
                             },
                         .present = unchanged,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(interpolate, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(interpolate, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(interpolate, manual)}});
}
