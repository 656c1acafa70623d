#include "scheduler/features/lane_access.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "scheduler/features/efficiency.h"

namespace autoschedule_gpu {

namespace {

bool depends_on_data(const AccessMatrix &access, size_t dim) {
    for (size_t i = 0; i < access.loops(); ++i) {
        if (!access.at(dim, i).known) return true;
    }
    return false;
}

// Returns how far the one loop that is an axis of the stage's own threads is from one thread to the
// next.
double own_step(const StageFacts &stage, const Loop &loop, size_t position) {
    const bool in_turn = is_in_rounds(stage.inner->level) || !loop.parallel;
    return in_turn ? 1 : static_cast<double>(stage.inner->trips[position]);
}

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

// Adds how far an access moves with a loop that is `step` further from one thread to the next along
// an axis.
void add_step(const KernelFacts &facts, const AccessFacts &access, size_t loop, size_t axis,
              double step, LaneAccess &lanes) {
    const AccessMatrix &matrix = *access.matrix;
    if (step == 0 || loop >= matrix.loops()) return;
    for (size_t d = 0; d < matrix.dims(); ++d) {
        const Coefficient &c = matrix.at(d, loop);
        if (!c.known) {
            const bool is_first = !lanes.gather.any();
            lanes.gather.by_data[axis] = true;
            lanes.gather.is_pattern = c.period > 0 && (is_first || lanes.gather.is_pattern);
        }
        if (!c.known || c.value == 0 || std::isnan(step)) continue;
        lanes.warp.stride_bytes[axis] +=
            c.value * step * facts.stride(access.func, d) * static_cast<double>(access.bytes);
    }
}

// Finds what an index may name, and the least distance between two of these.
void measure_gather(const KernelFacts &facts, const AccessFacts &access, Gather &gather) {
    gather.stride_bytes = std::numeric_limits<double>::infinity();
    const Func &func = facts.dag.func(access.func);
    for (size_t d = 0; d < access.matrix->dims(); ++d) {
        if (!depends_on_data(*access.matrix, d)) continue;
        const double apart =
            std::abs(facts.stride(access.func, d)) * static_cast<double>(access.bytes);
        gather.elements *= static_cast<double>(func.dims[d].estimate.extent());
        gather.stride_bytes = std::min(gather.stride_bytes, apart);
    }
}

// Threads along each axis, be they all in a row.
std::array<int64_t, 3> threads_along_axes(const Band &threads) {
    std::array<int64_t, 3> result = {1, 1, 1};
    for (size_t a = 0; a < threads.axes.size(); ++a) {
        result[a] = threads.trips[static_cast<size_t>(threads.axes[a])];
    }
    return result;
}

}  // namespace

LaneAccess lane_access(const KernelFacts &facts, const StageFacts &stage,
                       const AccessFacts &access) {
    const ThreadFacts &threads = *stage.threads;
    LaneAccess result;
    WarpAccess &warp = result.warp;
    warp.element_bytes = access.bytes;
    warp.threads = threads_along_axes(*threads.band);
    const std::array<int64_t, 3> block = {facts.block_size.x, facts.block_size.y,
                                          facts.block_size.z};
    if (rows_straddle(block, facts.gpu.warp_size) && !threads.band->flat) warp.block = block;
    warp.stride_bytes = {0, 0, 0};
    warp.active_lanes = static_cast<int64_t>(std::ceil(threads.threads / threads.warps));
    warp.alignment_bytes =
        access.direction == Direction::store ? facts.gpu.l1_sector_bytes : access.bytes;
    const std::vector<Loop> &loops = facts.dag.stage(stage.stage).loops;
    for (size_t a = 0; a < threads.band->axes.size(); ++a) {
        if (stage.owns_threads()) {
            const size_t loop = static_cast<size_t>(threads.band->axes[a]);
            add_step(facts, access, loop, a, own_step(stage, loops[loop], loop), result);
            continue;
        }
        for (size_t i = 0; i < loops.size(); ++i) {
            const int dim = loops[i].dim;
            if (dim < 0) continue;
            const std::span<const double> steps = stage.steps[a];
            add_step(facts, access, i, a, steps.empty() ? kNotKnown : steps[dim], result);
        }
    }
    if (result.gather.any()) measure_gather(facts, access, result.gather);
    return result;
}

GlobalTraffic global_traffic(const KernelFacts &facts, const StageFacts &stage, Direction direction,
                             AccessMemo &memo) {
    GlobalTraffic traffic;
    for (const AccessFacts &access : stage.accesses) {
        if (access.direction != direction || access.memory != MemoryKind::global) continue;
        LaneAccess lanes = lane_access(facts, stage, access);
        const double count = access.count / static_cast<double>(access.vector);
        lanes.warp.element_bytes *= access.vector;
        lanes.warp.alignment_bytes = std::max(lanes.warp.alignment_bytes, lanes.warp.element_bytes);
        const GlobalAccess moved = lanes.gather.any()
                                       ? gathered_global(facts.gpu, lanes.warp, lanes.gather)
                                       : memo.global(lanes.warp);
        mix(stage.threads->warps * count * moved.sectors, moved.efficiency, traffic.sectors,
            traffic.efficiency);
        traffic.wavefronts += stage.threads->warps * count * moved.wavefronts;
        traffic.accesses += count;
    }
    return traffic;
}

}  // namespace autoschedule_gpu
