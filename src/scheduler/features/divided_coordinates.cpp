#include "scheduler/features/divided_coordinates.h"

#include <cmath>
#include <utility>

namespace autoschedule_gpu {

namespace {

// The least number by which a coefficient becomes whole; 1 where it is, or is not known.
int64_t divisor_of(const Coefficient &c) {
    constexpr int64_t kMost = 16;
    constexpr double kRounding = 1e-6;
    if (!c.known || c.value == 0) return 1;
    for (int64_t divisor = 1; divisor <= kMost; ++divisor) {
        const double whole = c.value * static_cast<double>(divisor);
        if (std::abs(whole - std::round(whole)) < kRounding) return divisor;
    }
    return std::max<int64_t>(1, std::llround(1 / std::abs(c.value)));
}

// How accesses move along a dimension, and by what they divide it.
DividedCoordinate coordinate_of(std::span<const AccessMatrix *const> accesses, size_t dim) {
    DividedCoordinate result{.dim = dim};
    result.steps.resize(accesses[0]->loops());
    for (const AccessMatrix *access : accesses) {
        for (size_t i = 0; i < result.steps.size(); ++i) {
            const Coefficient &c = access->at(dim, i);
            result.divisor = std::max(result.divisor, divisor_of(c));
            result.steps[i] = std::max(result.steps[i], std::abs(c.value));
        }
    }
    for (double &step : result.steps) step *= static_cast<double>(result.divisor);
    return result;
}

}  // namespace

std::vector<DividedCoordinate> DividedCoordinates::of(
    FuncId func, std::span<const AccessMatrix *const> accesses) {
    std::vector<DividedCoordinate> divided;
    const size_t dims = accesses.empty() ? 0 : accesses[0]->dims();
    for (size_t d = 0; d < dims; ++d) {
        DividedCoordinate coordinate = coordinate_of(accesses, d);
        if (coordinate.divisor == 1) continue;
        count(func, coordinate);
        divided.push_back(std::move(coordinate));
    }
    return divided;
}

// Of n in a row, divided by k, a point needs 1 + (n - 1) / k on average over k neighbours.
void DividedCoordinates::count(FuncId func, DividedCoordinate &divided) {
    constexpr int64_t kMostNeighbours = 16;
    const int64_t many = std::min(divided.divisor, kMostNeighbours);
    while (static_cast<int64_t>(regions_.size()) < many) add_neighbour();
    double sum = 0;
    for (int64_t i = 0; i < many; ++i) {
        const RegionSet &regions = regions_[static_cast<size_t>(i)];
        if (!regions.touched(func)) return;
        const auto extent = static_cast<double>(regions.box(func)[divided.dim].extent());
        divided.values = std::max(divided.values, extent);
        sum += extent;
    }
    const double mean = sum / static_cast<double>(many);
    divided.most = std::max(divided.values, 1 + (mean - 1) * static_cast<double>(divided.divisor));
}

// Evaluates what the next one needs of the points along the diagonal of all loops, from the
// middle on.
void DividedCoordinates::add_neighbour() {
    const Stage &stage = dag_.stage(stage_);
    const auto distance = static_cast<int64_t>(regions_.size());
    std::vector<Interval> ranges;
    for (const Loop &loop : stage.loops) {
        const Interval &all = estimated_range(dag_, stage, loop);
        ranges.push_back(Interval::from_extent(all.min + all.extent() / 2 + distance, 1));
    }
    propagate(dag_, stage_, ranges, inlined_, regions_.emplace_back(dag_));
}

}  // namespace autoschedule_gpu
