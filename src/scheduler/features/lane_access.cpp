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
    const bool in_turn = stage.inner->level == Level::strided || !loop.parallel;
    return in_turn ? 1 : static_cast<double>(stage.inner->trips[position]);
}

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

// Along one axis of threads: how far an access moves from one to the next, and how many neighbours
// are at one place. They are where an index is x / n, however far its elements are apart.
class AxisSteps {
public:
    // Of a dimension whose index grows by so much, and whose elements are so many bytes apart.
    void add(double index, double bytes) {
        moved_ += index * bytes;
        const double share = std::round(1 / std::abs(index));
        const bool is_share = share > 1 && std::abs(std::abs(index) * share - 1) < kRounding;
        sharing_ = sharing_ == 0 || sharing_ == share ? (is_share ? share : 1) : 1;
    }
    void put(size_t axis, WarpAccess &warp) const {
        const double sharing = std::max(1.0, sharing_);
        warp.sharing[axis] = static_cast<int64_t>(sharing);
        warp.stride_bytes[axis] = moved_ * sharing;
    }

private:
    static constexpr double kRounding = 1e-9;

    double moved_ = 0;
    double sharing_ = 0;  // 0: none is added; 1: not all dimensions have the same
};

// Adds how far an access moves with a loop that is `step` further from one thread to the next along
// an axis.
void add_step(const KernelFacts &facts, const AccessFacts &access, size_t loop, size_t axis,
              double step, AxisSteps &steps, Gather &gather) {
    const AccessMatrix &matrix = *access.matrix;
    if (step == 0 || loop >= matrix.loops()) return;
    for (size_t d = 0; d < matrix.dims(); ++d) {
        const Coefficient &c = matrix.at(d, loop);
        if (!c.known) gather.by_data[axis] = true;
        if (!c.known || c.value == 0 || std::isnan(step)) continue;
        steps.add(c.value * step, facts.stride(access.func, d) * static_cast<double>(access.bytes));
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

}  // namespace

LaneAccess lane_access(const KernelFacts &facts, const StageFacts &stage,
                       const AccessFacts &access) {
    const ThreadFacts &threads = *stage.threads;
    LaneAccess result;
    WarpAccess &warp = result.warp;
    warp.element_bytes = access.bytes;
    warp.threads = {threads.extents.x, threads.extents.y, threads.extents.z};
    warp.stride_bytes = {0, 0, 0};
    warp.active_lanes = static_cast<int64_t>(std::ceil(threads.threads / threads.warps));
    warp.alignment_bytes =
        access.direction == Direction::store ? facts.gpu.l1_sector_bytes : access.bytes;
    const std::vector<Loop> &loops = facts.dag.stage(stage.stage).loops;
    for (size_t a = 0; a < threads.band->axes.size(); ++a) {
        AxisSteps steps;
        const auto add = [&](size_t loop, double step) {
            add_step(facts, access, loop, a, step, steps, result.gather);
        };
        const std::span<const double> moved = stage.steps[a];
        if (stage.owns_threads()) {
            const size_t loop = static_cast<size_t>(threads.band->axes[a]);
            add(loop, own_step(stage, loops[loop], loop));
        } else {
            for (size_t i = 0; i < loops.size(); ++i) {
                const int dim = loops[i].dim;
                if (dim >= 0) add(i, moved.empty() ? kNotKnown : moved[dim]);
            }
        }
        steps.put(a, warp);
    }
    if (result.gather.any()) measure_gather(facts, access, result.gather);
    return result;
}

GlobalTraffic global_traffic(const KernelFacts &facts, const StageFacts &stage,
                             Direction direction) {
    GlobalTraffic traffic;
    for (const AccessFacts &access : stage.accesses) {
        if (access.direction != direction || access.memory != MemoryKind::global) continue;
        LaneAccess lanes = lane_access(facts, stage, access);
        const double count = access.count / static_cast<double>(access.vector);
        lanes.warp.element_bytes *= access.vector;
        lanes.warp.alignment_bytes = std::max(lanes.warp.alignment_bytes, lanes.warp.element_bytes);
        const GlobalAccess moved = lanes.gather.any()
                                       ? gathered_global(facts.gpu, lanes.warp, lanes.gather)
                                       : global_access(facts.gpu, lanes.warp);
        mix(stage.threads->warps * count * moved.sectors, moved.efficiency, traffic.sectors,
            traffic.efficiency);
        traffic.accesses += count;
    }
    return traffic;
}

}  // namespace autoschedule_gpu
