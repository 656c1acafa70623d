#include "learn/train/adam.h"

#include <cmath>

namespace autoschedule_gpu {

void Adam::step(std::span<float> parameters, std::span<const float> gradient, double rate) {
    constexpr double kMeanDecay = 0.9, kSquareDecay = 0.999, kLeast = 1e-8;  // the paper's values
    ++steps_;
    const double mean_scale = 1 / (1 - std::pow(kMeanDecay, steps_));
    const double square_scale = 1 / (1 - std::pow(kSquareDecay, steps_));
    for (size_t i = 0; i < parameters.size(); ++i) {
        const double g = gradient[i];
        const double mean = kMeanDecay * mean_[i] + (1 - kMeanDecay) * g;
        const double square = kSquareDecay * square_[i] + (1 - kSquareDecay) * g * g;
        mean_[i] = static_cast<float>(mean);
        square_[i] = static_cast<float>(square);
        parameters[i] -= static_cast<float>(rate * mean * mean_scale /
                                            (std::sqrt(square * square_scale) + kLeast));
    }
}

}  // namespace autoschedule_gpu
