#include "scheduler/space/fitted_members.h"

#include <algorithm>
#include <bit>

#include "core/support/rounding.h"
#include "scheduler/nest/edit.h"
#include "scheduler/space/tilings.h"

namespace autoschedule_gpu {

namespace {

// Of fewer threads along an axis none is left without a point of the tile.
constexpr int64_t kLeastNarrowed = 8;

// The threads along an axis that there are of `threads` and those that were left without a point:
// whole warps, or a power of two.
int64_t width_of(int64_t threads, int64_t warp_size) {
    if (threads > warp_size) return ceil_div(threads, warp_size) * warp_size;
    const auto width = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(threads)));
    return width < kLeastNarrowed ? threads : width;
}

// By loop of a Func's only or first stage.
std::vector<int64_t> trips_of(const Stage &pure, std::span<const int64_t> extents) {
    std::vector<int64_t> trips;
    for (const Loop &loop : pure.loops) trips.push_back(extents[static_cast<size_t>(loop.dim)]);
    return trips;
}

// The loops of a stage at root that are thread x, y, z.
std::vector<int> axes_of(const Dag &dag, StageId root, const Tiling &tiling) {
    std::vector<int64_t> threads;
    for (const LoopTile &tile : tiling) threads.push_back(tile.threads);
    return choose_root_axes(dag, root, threads);
}

// The most points that a member has along each axis of its threads.
std::vector<int64_t> most_along_axes(const Dag &dag, std::span<const FittedMember> members) {
    std::vector<int64_t> most(3);
    for (const FittedMember &member : members) {
        const StageId id = dag.func(member.func).stages[0];
        const std::vector<int64_t> trips = trips_of(dag.stage(id), member.extents);
        const std::vector<int> axes = choose_axes(dag, id, trips);
        for (size_t a = 0; a < axes.size(); ++a) {
            most[a] = std::max(most[a], trips[static_cast<size_t>(axes[a])]);
        }
    }
    return most;
}

// Threads along an axis of which the others compute only the border, where that leaves less idle
// than one more point per thread of the members does. `needed`: points of these.
int64_t narrowed_threads(const LoopTile &tile, int64_t needed, int64_t warp_size) {
    const int64_t width = width_of(tile.threads, warp_size);
    const int64_t border = ceil_div(needed - tile.points(), tile.serial);
    const int64_t beyond = ceil_div(needed, width) * width - needed;  // points of idle threads
    const bool pays =
        border > 0 && kLeastNarrowed * border <= width && border * needed < width * beyond;
    return pays && width - border < tile.threads ? width - border : tile.threads;
}

}  // namespace

std::vector<int64_t> fitted_serial(const Dag &dag, const Kernel &kernel, FuncId func,
                                   std::span<const int64_t> extents, int64_t warp_size) {
    const StageId id = dag.func(func).stages[0];
    const ThreadExtents root = thread_extents(*root_threads(kernel));
    const int64_t most[] = {width_of(root.x, warp_size), width_of(root.y, warp_size),
                            width_of(root.z, warp_size)};
    std::vector<int64_t> threads = trips_of(dag.stage(id), extents), serial(extents.size(), 1);
    std::vector<int> axes = choose_axes(dag, id, threads);
    for (size_t a = 0; a < axes.size(); ++a) {
        const auto loop = static_cast<size_t>(axes[a]);
        const int64_t points = ceil_div(threads[loop], most[a]);
        serial[static_cast<size_t>(dag.stage(id).loops[loop].dim)] = points;
        threads[loop] = ceil_div(threads[loop], points);
    }
    std::erase_if(axes, [&](int axis) { return threads[static_cast<size_t>(axis)] == 1; });
    if (axes != choose_axes(dag, id, threads)) return {};
    return serial;
}

Tiling narrowed(const Dag &dag, StageId root, Tiling tiling, std::span<const FittedMember> members,
                int64_t warp_size) {
    const std::vector<int> axes = axes_of(dag, root, tiling);
    const std::vector<int64_t> most = most_along_axes(dag, members);
    for (size_t a = 0; a < axes.size(); ++a) {
        LoopTile &tile = tiling[static_cast<size_t>(axes[a])];
        if (tile.rest != Rest::blocks || tile.atomic || tile.walk > 1) continue;
        tile.threads = narrowed_threads(tile, most[a], warp_size);
    }
    return tiling;
}

Tiling widened(const Dag &dag, const Kernel &kernel, int64_t warp_size) {
    Tiling tiling = kernel.tiling;
    const bool fits = std::ranges::find(kernel.members, MemberTile::fitted, &Member::tile) !=
                      kernel.members.end();
    if (!fits) return tiling;
    const std::vector<int64_t> extents = loop_extents(dag, kernel.stage);
    for (const int axis : axes_of(dag, kernel.stage, tiling)) {
        const auto loop = static_cast<size_t>(axis);
        LoopTile wide = tiling[loop];
        wide.threads = width_of(wide.threads, warp_size);
        if (has_tile(extents[loop], wide)) tiling[loop] = wide;
    }
    return tiling;
}

}  // namespace autoschedule_gpu
