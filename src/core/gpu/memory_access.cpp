#include "core/gpu/memory_access.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <span>

namespace autoschedule_gpu {

namespace {

// The widest warp and the most banks that check(GpuModel) lets pass.
constexpr int64_t kMaxLanes = 128;
constexpr int64_t kMaxBanks = 128;

// Rows an unknown distance apart are laid this many elements apart: further than any sector or
// line.
constexpr int64_t kFarElements = int64_t{1} << 36;

// Element indices relative to the first lane's. Not initialised beyond `count`.
struct Lanes {
    std::array<int64_t, kMaxLanes> element;
    int64_t count = 0;
    bool any_unknown = false;

    std::span<int64_t> all() { return {element.data(), static_cast<size_t>(count)}; }
};

// std::floor is a call into the mathematics library unless the target has SSE 4.1.
int64_t floor_of(double value) {
    const auto truncated = static_cast<int64_t>(value);
    return truncated - (static_cast<double>(truncated) > value ? 1 : 0);
}

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
            // Beyond that distance nothing changes, except that integers would overflow.
            constexpr double kFurthest = static_cast<double>(kFarElements) / 2;
            dimension.stride_elements =
                std::clamp(access.stride_bytes[d] / static_cast<double>(access.element_bytes),
                           -kFurthest, kFurthest);
        } else if (dimension.extent > 1) {
            dimension.far_elements = far_elements;
            far_elements *= kMaxLanes;
        }
    }
    return dimensions;
}

int64_t lanes_taking_part(const GpuModel &model, const WarpAccess &access) {
    int64_t threads = 1;
    for (const int64_t extent : access.threads) {
        threads *= std::clamp<int64_t>(extent, 1, kMaxLanes);
    }
    const int64_t warp = std::min(model.warp_size, kMaxLanes);
    return std::clamp<int64_t>(access.active_lanes, 0, std::min(threads, warp));
}

// Lanes in the order of `dimensions`, first one fastest.
Lanes place_lanes(const std::array<Dimension, 3> &dimensions, int64_t active_lanes) {
    // A third that is added up from doubles must not fall short of the whole element it stands for.
    constexpr double kRounding = 1e-6;
    const Dimension &inner = dimensions[0], &middle = dimensions[1], &outer = dimensions[2];
    Lanes lanes;
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

void sort_if_needed(std::span<int64_t> elements) {
    if (!std::is_sorted(elements.begin(), elements.end())) {
        std::sort(elements.begin(), elements.end());
    }
}

// Ascending, with repeats. Walking the dimensions from the smallest stride to the largest leaves
// the lanes sorted already, unless rows overlap or run backwards.
Lanes sorted_lanes(const WarpAccess &access, int64_t active_lanes) {
    std::array<Dimension, 3> dimensions = dimensions_of(access, active_lanes);
    const auto before = [](const Dimension &a, const Dimension &b) {
        if (a.far_elements != b.far_elements) return a.far_elements < b.far_elements;
        return std::abs(a.stride_elements) < std::abs(b.stride_elements);
    };
    if (before(dimensions[1], dimensions[0])) std::swap(dimensions[0], dimensions[1]);
    if (before(dimensions[2], dimensions[1])) std::swap(dimensions[1], dimensions[2]);
    if (before(dimensions[1], dimensions[0])) std::swap(dimensions[0], dimensions[1]);
    Lanes lanes = place_lanes(dimensions, active_lanes);
    sort_if_needed(lanes.all());
    return lanes;
}

int64_t count_distinct(std::span<const int64_t> sorted) {
    int64_t distinct = sorted.empty() ? 0 : 1;
    for (size_t i = 1; i < sorted.size(); i++) distinct += sorted[i] != sorted[i - 1] ? 1 : 0;
    return distinct;
}

// Mean number of aligned units of 2^unit_log2 bytes that the sorted elements touch, `first` being a
// multiple of 2^alignment_log2 and otherwise equally likely anywhere in a unit.
//
// With n = unit / alignment places for `first`, the bytes a < b lie in different units in
// min(n, floor(b / alignment) - floor(a / alignment)) of them (Hermite's identity), and an element
// that spans several units touches all of them. So only the steps between neighbours are summed.
double mean_units(std::span<const int64_t> sorted, int64_t element_bytes, int alignment_log2,
                  int unit_log2) {
    const int shift = std::min(alignment_log2, unit_log2);
    const int64_t places = int64_t{1} << (unit_log2 - shift);
    int64_t steps = places;  // the first byte's unit
    int64_t previous = (sorted[0] * element_bytes) >> shift;
    for (const int64_t element : sorted) {
        const int64_t first = (element * element_bytes) >> shift;
        const int64_t last = (element * element_bytes + element_bytes - 1) >> shift;
        // A repeat steps back to its own first byte and forth again.
        steps += std::min(places, first - previous) + last - first;
        previous = last;
    }
    return static_cast<double>(steps) / static_cast<double>(places);
}

// The same for lanes a whole number of elements apart in one dimension, the most common access: all
// gaps are then at most a unit (and the sum telescopes) or all at least a unit. Empty where they
// are neither.
std::optional<double> mean_units_of_row(int64_t lanes, int64_t stride_bytes, int64_t element_bytes,
                                        int alignment_log2, int unit_log2) {
    const int shift = std::min(alignment_log2, unit_log2);
    const int64_t places = int64_t{1} << (unit_log2 - shift);
    int64_t steps = 0;
    if (((stride_bytes - element_bytes) >> shift) + 1 <= places) {
        steps = places + (((lanes - 1) * stride_bytes + element_bytes - 1) >> shift);
    } else if ((stride_bytes - element_bytes + 1) >> shift >= places) {
        steps = lanes * (places + ((element_bytes - 1) >> shift));
    } else {
        return std::nullopt;
    }
    return static_cast<double>(steps) / static_cast<double>(places);
}

int log2_of(int64_t power_of_two) {
    return std::countr_zero(static_cast<uint64_t>(power_of_two));
}

// Mean passes for `words` distinct random words in 32 banks: the expected maximum load of balls in
// bins, 3.53 for 32 of 32, which is nearly linear in the number of balls up to there. An upper
// estimate for elements wider than a bank, whose words are neighbours.
double random_passes(int64_t words) {
    constexpr double kMeanOfFullWarp = 3.53;
    return 1.0 + (kMeanOfFullWarp - 1.0) * static_cast<double>(words - 1) / 31.0;
}

// The greatest number of distinct words that fall into one bank.
int64_t passes_through_banks(const GpuModel &model, std::span<const int64_t> sorted,
                             int64_t element_bytes) {
    const int bank_log2 = log2_of(model.shared_bank_bytes);
    const auto mask = static_cast<uint64_t>(model.shared_banks - 1);
    std::array<int64_t, kMaxBanks> load;
    std::fill_n(load.begin(), model.shared_banks, 0);
    int64_t passes = 0;
    int64_t next_word = std::numeric_limits<int64_t>::min();
    for (const int64_t element : sorted) {
        const int64_t first = (element * element_bytes) >> bank_log2;
        const int64_t last = (element * element_bytes + element_bytes - 1) >> bank_log2;
        for (int64_t word = std::max(first, next_word); word <= last; word++) {
            passes = std::max(passes, ++load[static_cast<uint64_t>(word) & mask]);
        }
        next_word = last + 1;
    }
    return passes;
}

GlobalAccess global_result(const GpuModel &model, double sectors, double lines,
                           int64_t used_bytes) {
    const double moved_bytes = sectors * static_cast<double>(model.l1_sector_bytes);
    return {sectors, lines, used_bytes, static_cast<double>(used_bytes) / moved_bytes};
}

std::optional<GlobalAccess> global_access_of_row(const GpuModel &model, const WarpAccess &access,
                                                 int64_t active_lanes) {
    const double stride = access.stride_bytes[0];
    const int64_t bytes = access.element_bytes;
    if (access.threads[0] < active_lanes || !(stride > 0 && stride < 1e9)) return std::nullopt;
    const auto stride_bytes = static_cast<int64_t>(stride);
    if (static_cast<double>(stride_bytes) != stride || stride_bytes % bytes != 0 ||
        !std::has_single_bit(static_cast<uint64_t>(bytes))) {
        return std::nullopt;
    }
    const int alignment_log2 = log2_of(std::max<int64_t>(access.alignment_bytes, 1));
    const std::optional<double> sectors = mean_units_of_row(
        active_lanes, stride_bytes, bytes, alignment_log2, log2_of(model.l1_sector_bytes));
    const std::optional<double> lines = mean_units_of_row(
        active_lanes, stride_bytes, bytes, alignment_log2, log2_of(model.cache_line_bytes));
    if (!sectors || !lines) return std::nullopt;
    return global_result(model, *sectors, *lines, active_lanes * bytes);
}

// The passes of lanes a whole number of words apart in one dimension, each with a word of its own:
// lane i is in bank i * stride modulo the banks, so as many banks take turns as the stride's common
// divisor with them leaves.
std::optional<SharedAccess> shared_access_of_row(const GpuModel &model, const WarpAccess &access,
                                                 int64_t active_lanes) {
    const double stride = access.stride_bytes[0];
    const int64_t word = model.shared_bank_bytes;
    if (access.element_bytes != word || access.threads[0] < active_lanes ||
        active_lanes > model.warp_size || !(stride > 0 && stride < 1e9)) {
        return std::nullopt;
    }
    const auto stride_bytes = static_cast<int64_t>(stride);
    if (static_cast<double>(stride_bytes) != stride || stride_bytes % word != 0) {
        return std::nullopt;
    }
    const int64_t banks = model.shared_banks;
    const int64_t in_turn = banks / std::gcd(stride_bytes / word, banks);
    const int64_t passes = (active_lanes + in_turn - 1) / in_turn;
    SharedAccess result;
    result.transactions = static_cast<double>(passes);
    result.used_bytes = active_lanes * word;
    result.efficiency = static_cast<double>(result.used_bytes) /
                        (result.transactions * static_cast<double>(banks * word));
    return result;
}

}  // namespace

GlobalAccess global_access(const GpuModel &model, const WarpAccess &access) {
    const int64_t active_lanes = lanes_taking_part(model, access);
    if (active_lanes == 0) return {};
    if (const std::optional<GlobalAccess> row = global_access_of_row(model, access, active_lanes)) {
        return *row;
    }
    Lanes lanes = sorted_lanes(access, active_lanes);
    // A row at an unknown place keeps no alignment but its element's.
    const int64_t alignment = lanes.any_unknown
                                  ? std::min(access.alignment_bytes, access.element_bytes)
                                  : access.alignment_bytes;
    const int alignment_log2 = log2_of(std::max<int64_t>(alignment, 1));

    return global_result(model,
                         mean_units(lanes.all(), access.element_bytes, alignment_log2,
                                    log2_of(model.l1_sector_bytes)),
                         mean_units(lanes.all(), access.element_bytes, alignment_log2,
                                    log2_of(model.cache_line_bytes)),
                         count_distinct(lanes.all()) * access.element_bytes);
}

SharedAccess shared_access(const GpuModel &model, const WarpAccess &access) {
    const int64_t active_lanes = lanes_taking_part(model, access);
    if (active_lanes == 0) return {};
    if (const std::optional<SharedAccess> row = shared_access_of_row(model, access, active_lanes)) {
        return *row;
    }
    const int64_t words_per_element =
        std::max<int64_t>(1, access.element_bytes / model.shared_bank_bytes);
    const int64_t lanes_per_pass = std::max<int64_t>(1, model.warp_size / words_per_element);
    // Lane numbers matter only where they decide which part of the warp goes together.
    Lanes lanes = words_per_element == 1
                      ? sorted_lanes(access, active_lanes)
                      : place_lanes(dimensions_of(access, active_lanes), active_lanes);

    SharedAccess result;
    for (int64_t start = 0; start < lanes.count; start += lanes_per_pass) {
        const int64_t count = std::min(lanes.count - start, lanes_per_pass);
        if (lanes.any_unknown) {
            result.transactions += random_passes(count * words_per_element);
            continue;
        }
        const std::span<int64_t> part =
            lanes.all().subspan(static_cast<size_t>(start), static_cast<size_t>(count));
        sort_if_needed(part);
        result.transactions +=
            static_cast<double>(passes_through_banks(model, part, access.element_bytes));
    }
    sort_if_needed(lanes.all());
    result.used_bytes = count_distinct(lanes.all()) * access.element_bytes;
    result.efficiency =
        static_cast<double>(result.used_bytes) /
        (result.transactions * static_cast<double>(model.shared_banks * model.shared_bank_bytes));
    return result;
}

}  // namespace autoschedule_gpu
