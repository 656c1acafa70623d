#include "scheduler/features/active_threads.h"

#include <algorithm>
#include <array>

namespace autoschedule_gpu {

namespace {

// Returns how many warps of a block have at least one active thread, when lanes are numbered x
// first.
int64_t active_warps(const ThreadExtents &block, const ThreadExtents &active, int64_t warp) {
    if (active.x == block.x && active.y == block.y) {
        return (block.x * block.y * active.z + warp - 1) / warp;
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
    return warps;
}

// What so many threads along an axis do in turn: whole rounds, and then one in which some are left.
struct Rounds {
    int64_t threads = 1;
    int64_t whole = 1;
    int64_t left = 0;

    int64_t total() const { return whole + (left > 0 ? 1 : 0); }
};

Rounds rounds_of(const KernelFacts &facts, const Band &threads, size_t loop) {
    const int64_t along = threads.trips[loop];
    const Loop &data = facts.dag.stage(threads.stage).loops[loop];
    int64_t points = data.range.extent();
    if (threads.stage == facts.kernel.stage) {
        points = facts.block_ranges[loop].extent();
    } else if (data.dim >= 0) {
        points = facts.block->box(facts.dag.stage(threads.stage).func)[data.dim].extent();
    }
    return {along, points / along, points % along};
}

}  // namespace

ActiveThreads active_threads(const KernelFacts &facts, const Band &threads) {
    const ThreadExtents all = trips_of_axes(threads);
    // Flat threads are numbered in one row, whatever rectangle of the block holds them.
    const ThreadExtents &block = threads.flat ? all : facts.block_size;
    const int64_t warp = facts.gpu.warp_size;
    if (!is_in_rounds(threads.body.back()->level)) {
        return {static_cast<double>(all.total()),
                static_cast<double>(active_warps(block, all, warp))};
    }
    std::array<Rounds, 3> rounds = {};
    for (size_t a = 0; a < threads.axes.size(); ++a) {
        rounds[a] = rounds_of(facts, threads, static_cast<size_t>(threads.axes[a]));
    }
    const auto &[x, y, z] = rounds;
    int64_t points = 0, warps = 0;
    const auto add = [&](int64_t times, const ThreadExtents &active) {
        if (times == 0 || active.total() == 0) return;
        points += times * active.total();
        warps += times * active_warps(block, active, warp);
    };
    const auto add_along_x = [&](int64_t times, int64_t in_y, int64_t in_z) {
        add(times * x.whole, {x.threads, in_y, in_z});
        add(times, {x.left, in_y, in_z});
    };
    const auto add_along_y = [&](int64_t times, int64_t in_z) {
        add_along_x(times * y.whole, y.threads, in_z);
        add_along_x(times, y.left, in_z);
    };
    add_along_y(z.whole, z.threads);
    add_along_y(1, z.left);
    const auto iterations = static_cast<double>(x.total() * y.total() * z.total());
    return {static_cast<double>(points) / iterations, static_cast<double>(warps) / iterations};
}

}  // namespace autoschedule_gpu
