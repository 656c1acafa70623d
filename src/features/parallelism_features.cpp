// Features of the group "parallelism": blocks, threads, and how many of the device's lanes they
// use.
#include <algorithm>
#include <cmath>

#include "features/thread_view.h"

namespace autoschedule_gpu {

namespace {

// Warps of a block with at least one active thread, when lanes are numbered x first.
double active_warps(const ThreadExtents &block, const ThreadExtents &active, int64_t warp) {
    if (active.x == block.x && active.y == block.y) {
        return static_cast<double>((block.x * block.y * active.z + warp - 1) / warp);
    }
    // Rows of a block that is wider than this stage, or no multiple of a warp, straddle warps.
    int64_t warps = 0, next = 0;
    for (int64_t z = 0; z < active.z; ++z) {
        for (int64_t y = 0; y < active.y; ++y) {
            const int64_t lane = (z * block.y + y) * block.x;
            const int64_t last = (lane + active.x - 1) / warp;
            warps += last + 1 - std::max(next, lane / warp);
            next = last + 1;
        }
    }
    return static_cast<double>(warps);
}

}  // namespace

// Of the whole kernel.
void FeatureExtractor::add_parallelism(const Kernel &kernel, FeatureTable &table) const {
    KernelFeatures &row = table.kernel;
    row.num_blocks = static_cast<double>(iterations(*kernel.blocks));
    row.threads_per_block = static_cast<double>(block_size(kernel).total());
    row.num_warps_per_block =
        std::ceil(row.threads_per_block / static_cast<double>(gpu_.warp_size));
    row.barriers_per_block = -1;  // none at the end
    for (const BandPtr &threads : kernel.blocks->body) {
        row.barriers_per_block += static_cast<double>(loop_iterations(dag_, threads->loop));
    }
    // Appendix B of Anderson 2021, but for fewer blocks than SMs, which leave some idle as well.
    const double rounds = row.num_blocks / static_cast<double>(gpu_.sm_count);
    row.idle_core_wastage = std::ceil(rounds) / rounds;
}

// Of one stage.
void FeatureExtractor::add_parallelism(const ThreadView &view, const Band &inner, double passes,
                                       StageFeatures &row) const {
    const double warp = static_cast<double>(gpu_.warp_size);
    row.num_threads_per_block = view.active_threads();
    row.num_active_warps_per_block = active_warps(view.block, view.active, gpu_.warp_size);
    const double lanes = row.num_active_warps_per_block * warp;
    row.warp_lane_utilization = row.num_threads_per_block / lanes;
    row.idle_lane_wastage =
        (lanes - row.num_threads_per_block) / static_cast<double>(gpu_.max_threads_per_block);
    row.serial_iterations = passes;
    row.num_realizations = realizations(view, inner);
    row.reduction_split = reduction_split(view, inner);
}

// Productions of the stage's Func in the whole launch.
double FeatureExtractor::realizations(const ThreadView &view, const Band &inner) const {
    if (inner.stage == view.kernel->stage) return 1;
    const bool in_thread = inner.stage != view.threads->stage;
    const bool own_loop = has_own_loop(*view.threads) && !in_thread;
    return view.blocks * (own_loop ? 1 : view.loop_iterations) *
           (in_thread ? view.active_threads() : 1);
}

double FeatureExtractor::reduction_split(const ThreadView &view, const Band &inner) const {
    double parts = 1;
    if (inner.stage != view.threads->stage) return parts;
    const bool at_root = inner.stage == view.kernel->stage;
    for (size_t i = 0; i < inner.trips.size(); ++i) {
        if (dag_.stage(inner.stage).loops[i].dim >= 0) continue;
        if (!is_shared_reduction(dag_, *view.kernel, *view.threads, i)) continue;
        parts *= static_cast<double>(view.threads->trips[i]);
        if (at_root) parts *= static_cast<double>(view.kernel->blocks->trips[i]);
    }
    return parts;
}

}  // namespace autoschedule_gpu
