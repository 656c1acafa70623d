// The lanes of a warp as places in memory, as memory_access.h numbers them: what its counts are
// taken from. Without allocation.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/gpu/memory_access.h"

namespace autoschedule_gpu {

// The widest warp that check(GpuModel) lets pass.
inline constexpr int64_t kMaxLanes = 128;

// Element indices relative to the first lane's. Not initialised beyond `count`.
struct WarpLanes {
    std::array<int64_t, kMaxLanes> element;
    int64_t count = 0;
    bool any_unknown = false;  // some are at a place that no law gives, far from all others

    std::span<int64_t> all() { return {element.data(), static_cast<size_t>(count)}; }
};

void sort_if_needed(std::span<int64_t> elements);

// Lanes in their order.
WarpLanes lanes_in_order(const WarpAccess &access, int64_t active_lanes);
// Ascending, with repeats; faster than to sort those above.
WarpLanes sorted_lanes(const WarpAccess &access, int64_t active_lanes);

// The lanes of one of the warps of `access.block`, in their order and relative to the block's first
// thread; none where none of its threads takes part.
WarpLanes lanes_of_warp(const WarpAccess &access, int64_t warp, int64_t warp_size);

}  // namespace autoschedule_gpu
