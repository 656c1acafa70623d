#include "core/gpu/memory_access.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <span>

#include "core/gpu/warp_lanes.h"

namespace autoschedule_gpu {

namespace {

// The most banks that check(GpuModel) lets pass.
constexpr int64_t kMaxBanks = 128;

int64_t lanes_taking_part(const GpuModel &model, const WarpAccess &access) {
    int64_t threads = 1;
    for (const int64_t extent : access.threads) {
        threads *= std::clamp<int64_t>(extent, 1, kMaxLanes);
    }
    const int64_t warp = std::min(model.warp_size, kMaxLanes);
    return std::clamp<int64_t>(access.active_lanes, 0, std::min(threads, warp));
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

// Lane numbers matter only where they decide which part of the warp goes together.
WarpLanes lanes_for_banks(const GpuModel &model, const WarpAccess &access, int64_t active_lanes) {
    return access.element_bytes <= model.shared_bank_bytes ? sorted_lanes(access, active_lanes)
                                                           : lanes_in_order(access, active_lanes);
}

int64_t turns_of(const GpuModel &model, int64_t element_bytes) {
    return std::max<int64_t>(1, element_bytes / model.shared_bank_bytes);
}

// The passes of lanes that go in so many turns. They lose their order.
double passes_of(const GpuModel &model, int64_t element_bytes, int64_t turns, WarpLanes &lanes) {
    const int64_t words_per_element = turns_of(model, element_bytes);
    const int64_t lanes_per_pass = std::max<int64_t>(1, model.warp_size / turns);
    double passes = 0;
    for (int64_t start = 0; start < lanes.count; start += lanes_per_pass) {
        const int64_t count = std::min(lanes.count - start, lanes_per_pass);
        if (lanes.any_unknown) {
            passes += random_passes(count * words_per_element);
            continue;
        }
        const std::span<int64_t> part =
            lanes.all().subspan(static_cast<size_t>(start), static_cast<size_t>(count));
        sort_if_needed(part);
        passes += static_cast<double>(passes_through_banks(model, part, element_bytes));
    }
    return passes;
}

// The lanes lose their order.
double shared_passes_of(const GpuModel &model, int64_t element_bytes, WarpLanes &lanes) {
    const int64_t turns = turns_of(model, element_bytes);
    const bool agree = turns > 1 && !lanes.any_unknown && pairs_agree(lanes.all());
    return passes_of(model, element_bytes, agree ? turns / 2 : turns, lanes);
}

SharedAccess shared_result(const GpuModel &model, double transactions, int64_t used_bytes) {
    const auto bytes_of_all_banks =
        static_cast<double>(model.shared_banks * model.shared_bank_bytes);
    return {transactions, used_bytes,
            static_cast<double>(used_bytes) / (transactions * bytes_of_all_banks)};
}

// Visits the lanes of the block's first warps: where in a row one begins moves on evenly from warp
// to warp, so that a few of those side by side stand for all.
template <typename Visit>
int64_t visit_warps(const GpuModel &model, const WarpAccess &access, Visit visit) {
    constexpr int64_t kMostVisited = 8;
    const int64_t warp_size = std::min(model.warp_size, kMaxLanes);
    const auto [bx, by, bz] = *access.block;
    const auto [tx, ty, tz] = access.threads;
    const int64_t last = (((tz - 1) * by + ty - 1) * bx + tx - 1) / warp_size;
    int64_t visited = 0;
    for (int64_t warp = 0; warp <= last && visited < kMostVisited; ++warp) {
        WarpLanes lanes = lanes_of_warp(access, warp, warp_size);
        if (lanes.count == 0) continue;
        visit(lanes);
        visited++;
    }
    return visited;
}

GlobalAccess global_result(const GpuModel &model, double sectors, double lines, double bank_passes,
                           int64_t used_bytes) {
    const double moved_bytes = sectors * static_cast<double>(model.l1_sector_bytes);
    return {sectors, lines, std::max(bank_passes, lines / kL1LinesAtOnce), used_bytes,
            static_cast<double>(used_bytes) / moved_bytes};
}

// The passes of lanes a whole number of their elements apart in one dimension: lane i is in bank
// i * stride modulo the banks, so as many banks take turns as the stride's common divisor with them
// leaves. Empty where elements narrower than a bank may share one.
std::optional<int64_t> bank_passes_of_row(const GpuModel &model, int64_t lanes,
                                          int64_t stride_bytes, int64_t element_bytes) {
    const int64_t bank = model.shared_bank_bytes;
    const int64_t unit = std::max(bank, element_bytes);
    if (stride_bytes <= bank && lanes * stride_bytes <= model.shared_banks * bank) return 1;
    if (stride_bytes % unit != 0 || lanes > model.warp_size) return std::nullopt;
    const int64_t units = model.shared_banks * bank / unit;  // moved at once
    const int64_t in_turn = units / std::gcd(stride_bytes / unit, units);
    const int64_t at_once = std::max<int64_t>(1, model.warp_size * bank / unit);
    const int64_t rest = lanes % at_once;
    const auto passes = [&](int64_t part) { return (part + in_turn - 1) / in_turn; };
    return lanes / at_once * passes(at_once) + passes(rest);
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
    const std::optional<int64_t> passes =
        bank_passes_of_row(model, active_lanes, stride_bytes, bytes);
    if (!sectors || !lines || !passes) return std::nullopt;
    return global_result(model, *sectors, *lines, static_cast<double>(*passes),
                         active_lanes * bytes);
}

// The passes of lanes with a word each.
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
    const int64_t passes = *bank_passes_of_row(model, active_lanes, stride_bytes, word);
    return shared_result(model, static_cast<double>(passes), active_lanes * word);
}

// A row at an unknown place keeps no alignment but its element's.
int alignment_log2_of(const WarpAccess &access, const WarpLanes &lanes) {
    const int64_t alignment = lanes.any_unknown
                                  ? std::min(access.alignment_bytes, access.element_bytes)
                                  : access.alignment_bytes;
    return log2_of(std::max<int64_t>(alignment, 1));
}

// The lanes lose their order.
GlobalAccess global_access_of(const GpuModel &model, const WarpAccess &access, WarpLanes &lanes) {
    const int alignment_log2 = alignment_log2_of(access, lanes);
    const double bank_passes =
        passes_of(model, access.element_bytes, turns_of(model, access.element_bytes), lanes);
    sort_if_needed(lanes.all());
    return global_result(model,
                         mean_units(lanes.all(), access.element_bytes, alignment_log2,
                                    log2_of(model.l1_sector_bytes)),
                         mean_units(lanes.all(), access.element_bytes, alignment_log2,
                                    log2_of(model.cache_line_bytes)),
                         bank_passes, count_distinct(lanes.all()) * access.element_bytes);
}

GlobalAccess mean_global_access(const GpuModel &model, const WarpAccess &access) {
    GlobalAccess sum;
    const int64_t warps = visit_warps(model, access, [&](WarpLanes &lanes) {
        const GlobalAccess one = global_access_of(model, access, lanes);
        sum.sectors += one.sectors;
        sum.lines += one.lines;
        sum.wavefronts += one.wavefronts;
        sum.used_bytes += one.used_bytes;
    });
    const auto n = static_cast<double>(warps);
    return global_result(model, sum.sectors / n, sum.lines / n, sum.wavefronts / n,
                         sum.used_bytes / warps);
}

SharedAccess mean_shared_access(const GpuModel &model, const WarpAccess &access) {
    double passes = 0;
    int64_t used_bytes = 0;
    const int64_t warps = visit_warps(model, access, [&](WarpLanes &lanes) {
        passes += shared_passes_of(model, access.element_bytes, lanes);
        sort_if_needed(lanes.all());
        used_bytes += count_distinct(lanes.all()) * access.element_bytes;
    });
    return shared_result(model, passes / static_cast<double>(warps), used_bytes / warps);
}

}  // namespace

double l2_resident_bytes(const GpuModel &model) {
    return 0.4 * static_cast<double>(model.l2_bytes);
}

double l2_filled_bytes(const GpuModel &model) {
    return 0.7 * static_cast<double>(model.l2_bytes);
}

bool rows_straddle(const std::array<int64_t, 3> &block, int64_t warp_size) {
    const auto fits = [&](int64_t threads) {
        return threads % warp_size == 0 || warp_size % threads == 0;
    };
    const auto [x, y, z] = block;
    return (y * z > 1 && !fits(x)) || (z > 1 && !fits(x * y));
}

bool pairs_agree(std::span<const int64_t> lanes) {
    const auto agree = [&](size_t bit) {
        for (size_t lane = 0; lane + bit < lanes.size(); ++lane) {
            if ((lane & bit) == 0 && lanes[lane] != lanes[lane + bit]) return false;
        }
        return true;
    };
    return agree(1) || agree(2);
}

GlobalAccess global_access(const GpuModel &model, const WarpAccess &access) {
    if (access.block) return mean_global_access(model, access);
    const int64_t active_lanes = lanes_taking_part(model, access);
    if (active_lanes == 0) return {};
    if (const std::optional<GlobalAccess> row = global_access_of_row(model, access, active_lanes)) {
        return *row;
    }
    WarpLanes lanes = lanes_for_banks(model, access, active_lanes);
    return global_access_of(model, access, lanes);
}

SharedAccess shared_access(const GpuModel &model, const WarpAccess &access) {
    if (access.block) return mean_shared_access(model, access);
    const int64_t active_lanes = lanes_taking_part(model, access);
    if (active_lanes == 0) return {};
    if (const std::optional<SharedAccess> row = shared_access_of_row(model, access, active_lanes)) {
        return *row;
    }
    WarpLanes lanes = lanes_for_banks(model, access, active_lanes);
    const double passes = shared_passes_of(model, access.element_bytes, lanes);
    sort_if_needed(lanes.all());
    return shared_result(model, passes, count_distinct(lanes.all()) * access.element_bytes);
}

}  // namespace autoschedule_gpu
