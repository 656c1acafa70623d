#include "lab/traffic/warp_access.h"

#include <algorithm>
#include <vector>

#include "core/gpu/memory_access.h"
#include "core/support/rounding.h"

namespace autoschedule_gpu {
namespace {

// Returns the distinct units of `unit` bytes that the lanes touch, ascending.
std::vector<int64_t> touched_units(std::span<const int64_t> first_bytes, int64_t bytes_each,
                                   int64_t unit) {
    std::vector<int64_t> touched;
    touched.reserve(first_bytes.size() * 2);
    bool ascending = true;
    for (const int64_t first : first_bytes) {
        const int64_t last = floor_div(first + bytes_each - 1, unit);
        for (int64_t u = floor_div(first, unit); u <= last; u++) {
            if (!touched.empty() && touched.back() == u) continue;
            ascending = ascending && (touched.empty() || touched.back() < u);
            touched.push_back(u);
        }
    }
    if (!ascending) {
        std::sort(touched.begin(), touched.end());
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    }
    return touched;
}

// Returns the passes of the lanes in so many turns.
int64_t passes_in_turns(const WarpLanes &lanes, const MemoryUnits &units, int64_t turns) {
    const auto at_once = static_cast<size_t>(std::max<int64_t>(1, units.warp_threads / turns));
    int64_t passes = 0;
    std::vector<int64_t> words_in_bank(static_cast<size_t>(units.banks));
    for (size_t begin = 0; begin < lanes.first_bytes.size(); begin += at_once) {
        const size_t count = std::min(at_once, lanes.first_bytes.size() - begin);
        const auto words = touched_units(lanes.first_bytes.subspan(begin, count), lanes.bytes_each,
                                         units.bank_bytes);
        std::fill(words_in_bank.begin(), words_in_bank.end(), 0);
        for (const int64_t word : words) {
            words_in_bank[static_cast<size_t>(((word % units.banks) + units.banks) %
                                              units.banks)]++;
        }
        passes += *std::max_element(words_in_bank.begin(), words_in_bank.end());
    }
    return passes;
}

int64_t turns_of(const WarpLanes &lanes, const MemoryUnits &units) {
    return std::max<int64_t>(1, lanes.bytes_each / units.bank_bytes);
}

}  // namespace

MemoryUnits units_of(const GpuModel &model) {
    return {model.warp_size,       model.l1_sector_bytes,   model.cache_line_bytes,
            model.shared_banks,    model.shared_bank_bytes, l2_resident_bytes(model),
            l2_filled_bytes(model)};
}

std::vector<int64_t> touched_sectors(const WarpLanes &lanes, const MemoryUnits &units) {
    return touched_units(lanes.first_bytes, lanes.bytes_each, units.sector_bytes);
}

int64_t wavefronts(const WarpLanes &lanes, const MemoryUnits &units) {
    const int64_t turns = turns_of(lanes, units);
    return passes_in_turns(lanes, units, pairs_agree(lanes.first_bytes) ? (turns + 1) / 2 : turns);
}

double global_wavefronts(const WarpLanes &lanes, const MemoryUnits &units) {
    const auto passes = passes_in_turns(lanes, units, turns_of(lanes, units));
    const auto lines = touched_units(lanes.first_bytes, lanes.bytes_each, units.line_bytes);
    return std::max(static_cast<double>(passes),
                    static_cast<double>(lines.size()) / kL1LinesAtOnce);
}

}  // namespace autoschedule_gpu
