// Adds noise to a photograph and removes it again; see process.h.
#include <random>

#include "nl_means_candidate.h"
#include "nl_means_manual.h"
#include "nl_means_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

namespace {

// Nearly Gaussian noise, the same on every standard library: of three uniform numbers in 0..1, the
// sum has a variance of a quarter.
Image noisy(const Image &photograph, float standard_deviation) {
    std::mt19937 bits(1);
    const auto uniform = [&bits] { return static_cast<float>(bits() >> 8) * 0x1p-24f; };
    const Halide::Runtime::Buffer<const float> clean(photograph);
    return make_image(clean.width(), clean.height(), clean.channels(), [&](int x, int y, int c) {
        const float centred = uniform() + uniform() + uniform() - 1.5f;
        return clean(x, y, c) + 2.0f * standard_deviation * centred;
    });
}

}  // namespace

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 return Arguments{.inputs = {{"input", noisy(photograph, 0.05f)}},
                                                  .scalars = {{"noise", 0.05}, {"filter", 0.025}},
                                                  .outputs = {{"output", shape_of(photograph)}}};
                             },
                         .present = unchanged,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(nl_means, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(nl_means, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(nl_means, manual)}});
}
