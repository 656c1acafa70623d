#include "scheduler/features/joined_elements.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace autoschedule_gpu {

namespace {

constexpr int64_t kMostBytes = 16;

// Returns the greatest power of two of elements that one instruction may move: where each thread,
// in each of its passes, begins at a multiple of it.
int64_t widest(const KernelFacts &facts, const StageFacts &stage, const AccessFacts &access,
               const WarpAccess &warp) {
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
            if (c.value == 0 || stage.inner->trips[i] <= stage.unrolled[i]) continue;
            start_again_after(c.value * facts.stride(access.func, d) *
                              static_cast<double>(stage.unrolled[i]));
        }
    }
    int64_t width = 1;
    while (starts % (2 * width) == 0 && 2 * width * access.bytes <= kMostBytes) width *= 2;
    return width;
}

// Adds the elements [first, first + count) to those that are moved at once, by the fewest
// instructions that begin at multiples of their widths.
void add_run(int64_t first, int64_t count, int64_t widest, double times,
             ElementsByWidth &elements) {
    const int64_t end = first + count;
    while (first < end) {
        size_t log2 = 0;
        for (int64_t twice = 2; twice <= widest && first % twice == 0 && first + twice <= end;
             twice *= 2) {
            log2++;
        }
        elements[log2] += times * static_cast<double>(int64_t{1} << log2);
        first += int64_t{1} << log2;
    }
}

ElementsByWidth shares(const ElementsByWidth &elements) {
    const double all = std::accumulate(elements.begin(), elements.end(), 0.0);
    ElementsByWidth result = {};
    for (size_t i = 0; i < elements.size(); ++i) result[i] = elements[i] / all;
    return result;
}

constexpr ElementsByWidth kAlone = {1};

// The points of a pass along the rows of the array.
struct PointsInRow {
    double points = 1;
    double elements = 1;  // from the first to the last
    bool beside = true;   // each at the next element, or at that of the one before
};

PointsInRow points_in_row(const StageFacts &stage, const AccessMatrix &matrix) {
    PointsInRow row;
    for (size_t i = 0; i < stage.unrolled.size() && i < matrix.loops(); ++i) {
        const double step = std::abs(matrix.at(0, i).value);
        if (step == 0 || stage.unrolled[i] <= 1) continue;
        if (step > row.elements) row.beside = false;
        row.points *= static_cast<double>(stage.unrolled[i]);
        row.elements += step * static_cast<double>(stage.unrolled[i] - 1);
    }
    return row;
}

// Returns how many points of a pass begin at each place between two multiples of the width.
std::array<double, kMostBytes> places_of_points(const StageFacts &stage, const AccessMatrix &matrix,
                                                int64_t first, int64_t width) {
    const auto place = [&](int64_t at) {
        return static_cast<size_t>((at % width + width) % width);
    };
    std::array<double, kMostBytes> places = {};
    places[place(first)] = 1;
    for (size_t i = 0; i < stage.unrolled.size() && i < matrix.loops(); ++i) {
        const double step = matrix.at(0, i).value;
        if (step == 0) continue;
        const std::array<double, kMostBytes> before = std::exchange(places, {});
        for (int64_t k = 0; k < stage.unrolled[i]; ++k) {
            const auto further = static_cast<int64_t>(std::floor(step * static_cast<double>(k)));
            for (int64_t p = 0; p < width; ++p) places[place(p + further)] += before[p];
        }
    }
    return places;
}

// Each point's neighbours by themselves.
ElementsByWidth joined_by_point(const StageFacts &stage, const AccessMatrix &matrix, int64_t first,
                                int64_t neighbours, int64_t width) {
    const auto places = places_of_points(stage, matrix, first, width);
    ElementsByWidth elements = {};
    for (int64_t p = 0; p < width; ++p) {
        if (places[p] > 0) add_run(p, neighbours, width, places[p], elements);
    }
    return shares(elements);
}

ElementsByWidth joined_in_row(int64_t first, double elements, int64_t width) {
    const int64_t place = (first % width + width) % width;
    ElementsByWidth result = {};
    add_run(place, static_cast<int64_t>(std::ceil(elements - 1e-9)), width, 1, result);
    return shares(result);
}

// Returns how many elements of a Func a stage loads in a row of the box that `regions` have of it,
// which is what so many of its evaluations need: all, or fewer where it leaves some out.
double loaded_in_row(const KernelFacts &facts, const StageFacts &stage, FuncId func,
                     const RegionSet &regions, double evaluations) {
    double loaded = 0;
    for (const AccessFacts &access : stage.accesses) {
        if (access.func == func && access.direction == Direction::load) loaded += access.count;
    }
    loaded *= evaluations / stage.points_per_thread;
    const auto extent = static_cast<double>(regions.box(func)[0].extent());
    const double rows =
        regions.points(func) / extent * static_cast<double>(facts.dag.func(func).values.size());
    return std::clamp(loaded / rows, 1.0, extent);
}

// Returns the same of one point.
int64_t neighbours(const KernelFacts &facts, const StageFacts &stage, FuncId func) {
    const double in_row = loaded_in_row(facts, stage, func, *stage.point_regions, 1);
    return static_cast<int64_t>(std::ceil(in_row - 1e-9));
}

ElementsByWidth joined_loads(const KernelFacts &facts, const StageFacts &stage,
                             const AccessFacts &access, int64_t width) {
    const FuncId func = access.func;
    const Interval row = stage.pass_regions->box(func)[0];
    const int64_t first = row.min - facts.block->box(func)[0].min;
    const PointsInRow points = points_in_row(stage, *access.matrix);
    if (access.by_point) {
        const int64_t of_point = neighbours(facts, stage, func);
        if (of_point == 1 && points.beside) return joined_in_row(first, points.elements, width);
        return joined_by_point(stage, *access.matrix, first, of_point, width);
    }
    const double in_row =
        loaded_in_row(facts, stage, func, *stage.pass_regions, stage.points_per_pass);
    if (points.beside || in_row >= static_cast<double>(row.extent())) {
        return joined_in_row(first, in_row, width);
    }
    const double of_point = std::max(1.0, std::floor(in_row / points.points));
    return joined_by_point(stage, *access.matrix, first, static_cast<int64_t>(of_point), width);
}

// Whether what a stage loads between its stores parts these.
bool parts_stores(const KernelFacts &facts, const StageFacts &stage) {
    return std::ranges::any_of(stage.accesses, [&](const AccessFacts &access) {
        return access.by_point && stage.point_regions->touched(access.func) &&
               neighbours(facts, stage, access.func) > 1;
    });
}

}  // namespace

ElementsByWidth joined_elements(const KernelFacts &facts, const StageFacts &stage,
                                const AccessFacts &access, const WarpAccess &warp) {
    const int64_t width = widest(facts, stage, access, warp);
    if (width == 1) return kAlone;
    if (access.func != stage.func && stage.pass_regions->touched(access.func)) {
        return joined_loads(facts, stage, access, width);
    }
    if (access.direction == Direction::store && parts_stores(facts, stage)) return kAlone;
    const PointsInRow points = points_in_row(stage, *access.matrix);
    return points.beside ? joined_in_row(0, points.elements, width) : kAlone;
}

}  // namespace autoschedule_gpu
