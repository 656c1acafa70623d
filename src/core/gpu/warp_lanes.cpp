#include "core/gpu/warp_lanes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace autoschedule_gpu {

namespace {

// Rows an unknown distance apart are laid this many elements apart: further than any sector or
// line.
constexpr int64_t kFarElements = int64_t{1} << 36;

// std::floor is a call into the mathematics library unless the target has SSE 4.1.
int64_t floor_of(double value) {
    const auto truncated = static_cast<int64_t>(value);
    return truncated - (static_cast<double>(truncated) > value ? 1 : 0);
}

// From one coordinate to the next, in elements.
double stride_elements(const WarpAccess &access, size_t d) {
    // Beyond that distance nothing changes, except that integers would overflow.
    constexpr double kFurthest = static_cast<double>(kFarElements) / 2;
    return std::clamp(access.stride_bytes[d] / static_cast<double>(access.element_bytes),
                      -kFurthest, kFurthest);
}

// A third that is added up from doubles must not fall short of the whole element it stands for.
constexpr double kRounding = 1e-6;

struct Dimension {
    int64_t extent = 1;
    int64_t lanes_per_step = 1;  // how far the lane number moves with the coordinate
    double stride_elements = 0;
    int64_t far_elements = 0;  // instead of stride_elements, where that is unknown
};

std::array<Dimension, 3> dimensions_of(const WarpAccess &access, int64_t active_lanes) {
    std::array<Dimension, 3> dimensions;
    int64_t lanes_per_step = 1;
    int64_t far_elements = kFarElements;
    for (size_t d = 0; d < 3; d++) {
        Dimension &dimension = dimensions[d];
        const int64_t reached = (active_lanes + lanes_per_step - 1) / lanes_per_step;
        dimension.extent = std::clamp<int64_t>(access.threads[d], 1, std::max<int64_t>(reached, 1));
        dimension.lanes_per_step = lanes_per_step;
        lanes_per_step *= std::clamp<int64_t>(access.threads[d], 1, kMaxLanes);
        if (std::isfinite(access.stride_bytes[d])) {
            dimension.stride_elements = stride_elements(access, d);
        } else if (dimension.extent > 1) {
            dimension.far_elements = far_elements;
            far_elements *= kMaxLanes;
        }
    }
    return dimensions;
}

// Lanes in the order of `dimensions`, first one fastest.
WarpLanes place_lanes(const std::array<Dimension, 3> &dimensions, int64_t active_lanes) {
    const Dimension &inner = dimensions[0], &middle = dimensions[1], &outer = dimensions[2];
    WarpLanes lanes;
    for (const Dimension &d : dimensions) lanes.any_unknown |= d.far_elements != 0;
    for (int64_t k = 0; k < outer.extent; k++) {
        for (int64_t j = 0; j < middle.extent; j++) {
            const int64_t row_lane = k * outer.lanes_per_step + j * middle.lanes_per_step;
            const double row = static_cast<double>(k) * outer.stride_elements +
                               static_cast<double>(j) * middle.stride_elements + kRounding;
            const int64_t row_far = k * outer.far_elements + j * middle.far_elements;
            for (int64_t i = 0; i < inner.extent; i++) {
                if (row_lane + i * inner.lanes_per_step >= active_lanes) break;
                const double offset = row + static_cast<double>(i) * inner.stride_elements;
                lanes.element[lanes.count++] = floor_of(offset) + row_far + i * inner.far_elements;
            }
        }
    }
    return lanes;
}

}  // namespace

void sort_if_needed(std::span<int64_t> elements) {
    if (!std::is_sorted(elements.begin(), elements.end())) {
        std::sort(elements.begin(), elements.end());
    }
}

WarpLanes lanes_in_order(const WarpAccess &access, int64_t active_lanes) {
    return place_lanes(dimensions_of(access, active_lanes), active_lanes);
}

// Walking the dimensions from the smallest stride to the largest leaves
// the lanes sorted already, unless rows overlap or run backwards.
WarpLanes sorted_lanes(const WarpAccess &access, int64_t active_lanes) {
    std::array<Dimension, 3> dimensions = dimensions_of(access, active_lanes);
    const auto before = [](const Dimension &a, const Dimension &b) {
        if (a.far_elements != b.far_elements) return a.far_elements < b.far_elements;
        return std::abs(a.stride_elements) < std::abs(b.stride_elements);
    };
    if (before(dimensions[1], dimensions[0])) std::swap(dimensions[0], dimensions[1]);
    if (before(dimensions[2], dimensions[1])) std::swap(dimensions[1], dimensions[2]);
    if (before(dimensions[1], dimensions[0])) std::swap(dimensions[0], dimensions[1]);
    WarpLanes lanes = place_lanes(dimensions, active_lanes);
    sort_if_needed(lanes.all());
    return lanes;
}

WarpLanes lanes_of_warp(const WarpAccess &access, int64_t warp, int64_t warp_size) {
    const auto [bx, by, bz] = *access.block;
    std::array<double, 3> stride{};
    std::array<int64_t, 3> far{};
    WarpLanes lanes;
    for (size_t d = 0; d < 3; d++) {
        const bool known = std::isfinite(access.stride_bytes[d]);
        if (known) stride[d] = stride_elements(access, d);
        if (known || access.threads[d] == 1) continue;
        far[d] = int64_t{1} << (26 + 10 * d);  // no dimension has more than 2^10 threads
        lanes.any_unknown = true;
    }
    const int64_t first = warp * warp_size;
    int64_t x = first % bx, y = first / bx % by, z = first / bx / by;
    for (int64_t lane = 0; lane < warp_size && z < access.threads[2]; lane++) {
        if (x < access.threads[0] && y < access.threads[1]) {
            const double offset = static_cast<double>(z) * stride[2] +
                                  static_cast<double>(y) * stride[1] +
                                  static_cast<double>(x) * stride[0] + kRounding;
            lanes.element[lanes.count++] = floor_of(offset) + z * far[2] + y * far[1] + x * far[0];
        }
        if (++x < bx) continue;
        x = 0;
        if (++y < by) continue;
        y = 0, ++z;
    }
    return lanes;
}

}  // namespace autoschedule_gpu
