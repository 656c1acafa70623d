#include "scheduler/features/stored_extent.h"

#include <algorithm>
#include <cmath>

namespace autoschedule_gpu {

double stored_extent(const Stage &stage, const Func &func, std::span<const Interval> ranges,
                     size_t dim) {
    const double whole = static_cast<double>(func.dims[dim].estimate.extent());
    if (dim >= stage.store.dims()) return 1;
    double extent = 1;
    for (size_t i = 0; i < ranges.size(); ++i) {
        const Coefficient &c = stage.store.at(dim, i);
        if (!c.known) return whole;
        extent += std::abs(c.value) * static_cast<double>(ranges[i].extent() - 1);
    }
    return std::min(extent, whole);
}

}  // namespace autoschedule_gpu
