#include "tune/session/spill_filter.h"

#include <algorithm>
#include <limits>

namespace autoschedule_gpu {

std::vector<size_t> without_spills(std::span<const std::optional<int64_t>> spill_bytes) {
    int64_t least = std::numeric_limits<int64_t>::max();
    for (const std::optional<int64_t> &bytes : spill_bytes) {
        least = std::min(least, bytes.value_or(0));
    }
    const double most = 1.5 * static_cast<double>(least);
    std::vector<size_t> kept;
    for (size_t i = 0; i < spill_bytes.size(); ++i) {
        if (static_cast<double>(spill_bytes[i].value_or(0)) <= most) kept.push_back(i);
    }
    return kept;
}

}  // namespace autoschedule_gpu
