#include "scheduler/nest/shared_storage.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace autoschedule_gpu {

int64_t widest_shared_element(const Dag &dag, const Kernel &kernel) {
    int64_t widest = 1;
    for (const Band *threads : thread_bands(kernel)) {
        if (threads->stage == kernel.stage || threads->memory != MemoryKind::shared) continue;
        for (const ScalarType &value : dag.func_of(threads->stage).values) {
            widest = std::max(widest, value.bytes());
        }
    }
    return widest;
}

int64_t shared_row_alignment(const Func &func, int64_t widest_element) {
    if (func.dims.empty()) return 1;  // one point is the lesser of two wherever it is put
    int64_t alignment = 1;
    for (const ScalarType &value : func.values) {
        alignment = std::max(alignment, widest_element / value.bytes());
    }
    return alignment;
}

int64_t stored_points(std::span<const int64_t> extents, int64_t row_alignment) {
    if (extents.empty()) return 1;
    const int64_t units = (extents.front() + row_alignment - 1) / row_alignment;
    return std::accumulate(extents.begin() + 1, extents.end(), units * row_alignment,
                           std::multiplies<>());
}

}  // namespace autoschedule_gpu
