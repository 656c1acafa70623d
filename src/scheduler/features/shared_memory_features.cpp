#include <algorithm>
#include <cmath>
#include <numeric>

#include "scheduler/features/efficiency.h"
#include "scheduler/features/feature_groups.h"
#include "scheduler/features/lane_access.h"

namespace autoschedule_gpu {

namespace {

// Returns how many lanes' atomic operations on shared memory wait for each other.
double lanes_per_element(const WarpAccess &warp, int64_t used_bytes) {
    return static_cast<double>(warp.active_lanes * warp.element_bytes) /
           static_cast<double>(std::max<int64_t>(1, used_bytes));
}

SharedAccess access_of(const GpuModel &gpu, const LaneAccess &lanes, bool atomic) {
    if (!lanes.gather.any()) return shared_access(gpu, lanes.warp);
    return atomic ? scattered_shared(gpu, lanes.warp, lanes.gather)
                  : gathered_shared(gpu, lanes.warp, lanes.gather);
}

// Returns how many neighbours in shared memory one instruction moves, a power of two of up to 16
// bytes: compilers join what the unrolled points of a thread load or store beside each other, where
// all threads begin at a multiple of the joint size (read off the PTX of stencils; an array in
// shared memory is aligned, which one in global memory is not known to be).
int64_t joined(const KernelFacts &facts, const StageFacts &stage, const AccessFacts &access,
               const WarpAccess &warp) {
    int64_t in_row = 1;
    int64_t starts = facts.row_in_block(access.func);
    const auto start_again_after = [&](double elements) {
        const bool whole = elements == std::floor(elements);
        starts = whole ? std::gcd(starts, static_cast<int64_t>(elements)) : 1;
    };
    for (const double stride : warp.stride_bytes) {
        start_again_after(stride / static_cast<double>(access.bytes));
    }
    for (size_t i = 0; i < stage.unrolled.size() && i < access.matrix->loops(); ++i) {
        for (size_t d = 0; d < access.matrix->dims(); ++d) {
            const Coefficient &c = access.matrix->at(d, i);
            if (!c.known) return 1;
            if (d == 0 && c.value == 1) in_row *= stage.unrolled[i];
            if (c.value == 0 || stage.inner->trips[i] <= stage.unrolled[i]) continue;
            start_again_after(c.value * facts.stride(access.func, d) *
                              static_cast<double>(stage.unrolled[i]));
        }
    }
    constexpr int64_t kMostBytes = 16;
    int64_t width = 1;
    while (2 * width <= in_row && starts % (2 * width) == 0 &&
           2 * width * access.bytes <= kMostBytes) {
        width *= 2;
    }
    return width;
}

void add_access(const KernelFacts &facts, const StageFacts &stage, const AccessFacts &access,
                StageFeatures &row) {
    const bool store = access.direction == Direction::store;
    const bool atomic = store && stage.is_atomic();
    LaneAccess lanes = lane_access(facts, stage, access);
    const bool may_join = !lanes.gather.any() && !atomic && access.matrix->dims() > 0;
    const int64_t width = may_join ? joined(facts, stage, access, lanes.warp) : 1;
    lanes.warp.element_bytes *= width;
    const double count = access.count / static_cast<double>(width);
    const SharedAccess shared = access_of(facts.gpu, lanes, atomic);
    const double times = atomic ? lanes_per_element(lanes.warp, shared.used_bytes) : 1;
    const double more = stage.threads->warps * count * shared.transactions * times;
    (store ? row.shared_stores_per_thread : row.shared_loads_per_thread) += count;
    mix(more, shared.efficiency,
        store ? row.num_shared_mem_stores_per_block : row.num_shared_mem_loads_per_block,
        store ? row.shared_mem_store_efficiency : row.shared_mem_load_efficiency);
}

}  // namespace

void add_shared_memory(const KernelFacts &facts, ExtractionScratch &, FeatureTable &table) {
    table.kernel.shared_bytes_per_block = facts.shared_bytes_per_block;
    for (FuncId func : facts.inner_funcs) {
        if (!is_copy(facts.dag, func)) continue;
        table.kernel.staged_bytes_per_block += facts.shared_bytes(func);
    }
    for (size_t i = 0; i < facts.stages.size(); ++i) {
        for (const AccessFacts &access : facts.stages[i].accesses) {
            if (access.memory != MemoryKind::shared) continue;
            add_access(facts, facts.stages[i], access, table.stages[i]);
        }
    }
}

}  // namespace autoschedule_gpu
