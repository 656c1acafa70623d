// Looks for edges in a volume whose slices are a photograph, moved on from one to the next; see
// process.h.
#include <algorithm>
#include <cmath>

#include "conv3d_candidate.h"
#include "conv3d_manual.h"
#include "conv3d_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(
        argc, argv,
        {.arguments =
             [](const Image &photograph) {
                 const int channels_in = 16, channels_out = 32, depth = 3;
                 const int width = std::max(photograph.width() / 8, 1),
                           height = std::max(photograph.height() / 8, 1);
                 const Halide::Runtime::Buffer<const float> from(photograph);
                 Halide::Runtime::Buffer<float> input(width + 2, height + 2, depth + 2,
                                                      channels_in);
                 input.for_each_element([&](int x, int y, int z, int c) {
                     input(x, y, z, c) = from(std::min(8 * x + z + c % 4, from.width() - 1),
                                              std::min(8 * y + c / 4, from.height() - 1), c % 3);
                 });
                 Halide::Runtime::Buffer<float> filter(channels_out, channels_in, 3, 3, 3),
                     bias(channels_out);
                 // All weights differ, which makes a mistaken index show.
                 filter.for_each_element([&](int out, int in, int x, int y, int z) {
                     filter(out, in, x, y, z) =
                         std::sin(static_cast<float>(5 * out + 37 * in + 11 * x + 7 * y + 3 * z)) /
                         channels_in;
                 });
                 bias.for_each_element([&](int c) { bias(c) = 0.01f * static_cast<float>(c); });
                 return Arguments{.inputs = {{"input", input}, {"filter", filter}, {"bias", bias}},
                                  .outputs = {{"output", {width, height, depth, channels_out}}}};
             },
         .present = stretched,
         .reference = AUTOSCHEDULE_GPU_VARIANT(conv3d, reference),
         .candidates = {AUTOSCHEDULE_GPU_VARIANT(conv3d, candidate),
                        AUTOSCHEDULE_GPU_VARIANT(conv3d, manual)}});
}
