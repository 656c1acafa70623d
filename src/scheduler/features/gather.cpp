#include "scheduler/features/gather.h"

#include <algorithm>
#include <cmath>

namespace autoschedule_gpu {

namespace {

// Returns the access with each lane at a place of its own, along the axes where data decides.
WarpAccess apart(WarpAccess warp, const Gather &gather) {
    for (size_t a = 0; a < gather.by_data.size(); ++a) {
        if (gather.by_data[a]) warp.stride_bytes[a] = kUnknownStride;
    }
    return warp;
}

// Returns how many different ones `draws` random draws from so many choices are expected to meet.
double different_of(double choices, double draws) {
    return choices * (1 - std::pow(1 - 1 / choices, draws));
}

// The access of the lanes whose index data decides each for itself. Those along other axes go where
// one of them goes.
WarpAccess deciding(WarpAccess warp, const Gather &gather) {
    int64_t before = 1, lanes = 1;
    for (size_t a = 0; a < gather.by_data.size(); ++a) {
        const int64_t reached = (warp.active_lanes + before - 1) / before;
        before *= warp.threads[a];
        if (gather.by_data[a]) {
            lanes *= std::min(warp.threads[a], reached);
        } else {
            warp.threads[a] = 1;
        }
    }
    warp.active_lanes = lanes;
    return warp;
}

}  // namespace

// Lanes that share a sector when their index is the same are in one of the sectors that the index
// may name.
GlobalAccess gathered_global(const GpuModel &gpu, const WarpAccess &together,
                             const Gather &gather) {
    GlobalAccess result = global_access(gpu, apart(together, gather));
    const GlobalAccess same = global_access(gpu, together);
    const double least = same.sectors;
    const double sectors_per_element =
        std::min(1.0, gather.stride_bytes / static_cast<double>(gpu.l1_sector_bytes));
    const double choices = std::max(1.0, gather.elements * sectors_per_element);
    const WarpAccess draws = deciding(together, gather);
    const double draws_per_sector =
        std::max(1.0, static_cast<double>(draws.active_lanes) / global_access(gpu, draws).sectors);
    const double places = gather.is_pattern ? std::min(choices, draws_per_sector)
                                            : different_of(choices, draws_per_sector);
    const double most = std::min(result.sectors, least * places);
    const double sectors = gather.is_pattern ? most : std::sqrt(least * most);
    const double spread = result.sectors > least ? (sectors - least) / (result.sectors - least) : 0;
    result.wavefronts = std::lerp(same.wavefronts, result.wavefronts, spread);
    result.efficiency = std::min(1.0, result.efficiency * result.sectors / sectors);
    result.sectors = sectors;
    return result;
}

SharedAccess scattered_shared(const GpuModel &gpu, const WarpAccess &together,
                              const Gather &gather) {
    return shared_access(gpu, apart(together, gather));
}

// About the greatest of as many counts of random draws: within a tenth of a simulation where lanes
// are at least as many as what they may name.
double lanes_at_one_element(const GpuModel &gpu, const WarpAccess &together, const Gather &gather) {
    const double lanes = static_cast<double>(together.active_lanes);
    const double words = std::max(
        1.0, static_cast<double>(shared_access(gpu, together).used_bytes / together.element_bytes));
    const double choices = std::max(1.0, words * gather.elements);
    const double mean = lanes / choices;
    if (gather.is_pattern) return std::max(1.0, mean);
    const double most = mean + std::sqrt(2 * mean * (1 - 1 / choices) * std::log(choices));
    return std::clamp(most, 1.0, std::max(1.0, lanes / words));
}

// Few different words rarely share a bank: about 1 + 2.5 ((n - 1) / 31)^0.7 passes for n
// random ones, where 32 take 3.5 (fitted to a simulation; within 0.3).
SharedAccess gathered_shared(const GpuModel &gpu, const WarpAccess &together,
                             const Gather &gather) {
    SharedAccess result = scattered_shared(gpu, together, gather);
    const SharedAccess least = shared_access(gpu, together);
    const double lanes = static_cast<double>(together.active_lanes);
    const double words =
        std::max(1.0, static_cast<double>(least.used_bytes / together.element_bytes));
    const double different = words * different_of(gather.elements, lanes / words);
    const double share = std::max(0.0, different - 1) / std::max(1.0, lanes - 1);
    const double noise = 1 + (result.transactions - 1) * std::pow(share, 0.7);
    const double random = 1 - 1 / gather.elements;  // of one element there is no choice
    const double most = least.transactions + random * std::max(0.0, noise - least.transactions);
    result.transactions = std::sqrt(least.transactions * most);
    return result;
}

}  // namespace autoschedule_gpu
