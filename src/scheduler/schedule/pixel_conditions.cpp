#include "scheduler/schedule/pixel_conditions.h"

#include <algorithm>

namespace autoschedule_gpu {

std::vector<PixelCondition> pixel_conditions(const Directive &vectorize) {
    using Is = PixelCondition::Is;
    std::vector<PixelCondition> all;
    for (const api::PixelBuffer &buffer : vectorize.buffers) {
        const auto require = [&](const char *field, int dim, Is is, int64_t number) {
            all.push_back({buffer.func, buffer.input, field + std::to_string(dim), is, number});
        };
        // A vector that began before the end of an output could go beyond it.
        if (buffer.func >= 0) require(".extent.", buffer.pixels, Is::multiple, vectorize.factor);
        for (int d = 0; d < buffer.dimensions; ++d) {
            if (d != buffer.pixels && d != buffer.channels) {
                require(".stride.", d, Is::multiple, vectorize.factor);
                continue;
            }
            require(".min.", d, Is::equal, 0);
            require(".stride.", d, Is::equal, d == buffer.pixels ? buffer.step : 1);
        }
        all.push_back({buffer.func, buffer.input, "", Is::aligned, 0});
    }
    std::ranges::stable_sort(all, {}, &PixelCondition::is);
    return all;
}

}  // namespace autoschedule_gpu
