// Features of the group "shared_memory": arrays of a block, and their banks.
#include <algorithm>

#include "features/efficiency.h"
#include "features/thread_view.h"

namespace autoschedule_gpu {

namespace {

// Lanes whose atomic operations on shared memory wait for each other.
double lanes_per_element(const WarpAccess &warp, int64_t used_bytes) {
    return static_cast<double>(warp.active_lanes * warp.element_bytes) /
           static_cast<double>(std::max<int64_t>(1, used_bytes));
}

}  // namespace

void FeatureExtractor::add_shared_access(const LaneAccess &lanes, double accesses, bool store,
                                         bool atomic, StageFeatures &row) const {
    const auto shared = [&] {
        if (!lanes.gather.any()) return shared_access(gpu_, lanes.warp);
        return atomic ? scattered_shared(gpu_, lanes.warp, lanes.gather)
                      : gathered_shared(gpu_, lanes.warp, lanes.gather);
    }();
    const double times = atomic ? lanes_per_element(lanes.warp, shared.used_bytes) : 1;
    const double more = row.num_active_warps_per_block * accesses * shared.transactions * times;
    (store ? row.shared_stores_per_thread : row.shared_loads_per_thread) += accesses;
    mix(more, shared.efficiency,
        store ? row.num_shared_mem_stores_per_block : row.num_shared_mem_loads_per_block,
        store ? row.shared_mem_store_efficiency : row.shared_mem_load_efficiency);
}

void FeatureExtractor::add_shared_arrays(KernelFeatures &row) const {
    for (FuncId func : fused_) {
        if (homes_[func.index()] != Home::shared || !block_.touched(func)) continue;
        const double bytes = shared_bytes(func);
        row.shared_bytes_per_block += bytes;
        if (is_copy(dag_, func)) row.staged_bytes_per_block += bytes;
    }
}

// Of one Func that is computed in the block.
double FeatureExtractor::shared_bytes(FuncId func) const {
    const int64_t point = dag_.func(func).bytes_per_point(gpu_.shared_element_bytes);
    return static_cast<double>(point) * block_.points(func);
}

}  // namespace autoschedule_gpu
