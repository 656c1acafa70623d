// Turns a photograph whose channels alternate into a planar one; see process.h.
#include "process.h"
#include "rgb_deinterleave_candidate.h"
#include "rgb_deinterleave_manual.h"
#include "rgb_deinterleave_reference.h"

using namespace autoschedule_gpu::apps;

namespace {

Image alternating(const Image &planar) {
    const Halide::Runtime::Buffer<const uint8_t> from(planar);
    Halide::Runtime::Buffer<uint8_t> pixels(3, from.width(), from.height());
    pixels.for_each_element([&](int c, int x, int y) { pixels(c, x, y) = from(x, y, c); });
    return pixels;
}

}  // namespace

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 return Arguments{
                                     .inputs = {{"input", alternating(to_uint8(photograph))}},
                                     .outputs = {{"output", shape_of(photograph)}}};
                             },
                         .present = unchanged,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(rgb_deinterleave, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(rgb_deinterleave, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(rgb_deinterleave, manual)}});
}
