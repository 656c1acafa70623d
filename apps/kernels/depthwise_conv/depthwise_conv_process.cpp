// Filters the channels of a photograph, each in its own way; see process.h.
#include <algorithm>
#include <cmath>

#include "depthwise_conv_candidate.h"
#include "depthwise_conv_manual.h"
#include "depthwise_conv_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

int main(int argc, char **argv) {
    return process_main(
        argc, argv,
        {.arguments =
             [](const Image &photograph) {
                 const int width = std::max(photograph.width() - 2, 1),
                           height = std::max(photograph.height() - 2, 1);
                 const Halide::Runtime::Buffer<const float> from(photograph);
                 Halide::Runtime::Buffer<float> input(width + 2, height + 2, 3, 1);
                 input.for_each_element([&](int x, int y, int c, int n) {
                     input(x, y, c, n) =
                         from(std::min(x, from.width() - 1), std::min(y, from.height() - 1), c);
                 });
                 Halide::Runtime::Buffer<float> filter(3, 3, 3), bias(3);
                 // All weights differ, which makes a mistaken index show.
                 filter.for_each_element([&](int x, int y, int c) {
                     filter(x, y, c) = 0.3f * std::cos(static_cast<float>(5 * c + 11 * x + 7 * y));
                 });
                 bias.for_each_element([&](int c) { bias(c) = 0.1f * static_cast<float>(c); });
                 return Arguments{.inputs = {{"input", input}, {"filter", filter}, {"bias", bias}},
                                  .outputs = {{"output", {width, height, 3, 1}}}};
             },
         .present = stretched,
         .reference = AUTOSCHEDULE_GPU_VARIANT(depthwise_conv, reference),
         .candidates = {AUTOSCHEDULE_GPU_VARIANT(depthwise_conv, candidate),
                        AUTOSCHEDULE_GPU_VARIANT(depthwise_conv, manual)}});
}
