// Shuffles in random order (Fisher and Yates). The order depends on the seed alone and is the same
// on every machine.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "core/support/random.h"

namespace autoschedule_gpu {

template <typename T>
void shuffle(std::vector<T> &values, Random &random) {
    for (size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
}

}  // namespace autoschedule_gpu
