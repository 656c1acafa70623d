// The optimiser ADAM (Kingma and Ba 2015, algorithm 1).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace autoschedule_gpu {

class Adam {
public:
    explicit Adam(size_t parameters) : mean_(parameters), square_(parameters) {}

    // Steps against the gradient; each parameter changes by about `rate` at most. A parameter whose
    // gradient has always been 0 stays as it is.
    void step(std::span<float> parameters, std::span<const float> gradient, double rate);

private:
    std::vector<float> mean_, square_;
    int steps_ = 0;
};

}  // namespace autoschedule_gpu
