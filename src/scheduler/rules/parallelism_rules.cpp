// Work for the whole device. (Work for a whole warp: named_rules.cpp.)
#include <algorithm>

#include "scheduler/rules/families.h"

namespace autoschedule_gpu {

namespace {

constexpr int64_t kBlocksPerSm = 2;

// A wish: what no tiling can fulfil is not asked for. Where it and low_lane_use exclude each other
// (64 points: 4 blocks of 16 or 2 of 32), warps go first.
Verdict too_few_blocks(const TilingCandidate &c) {
    const int64_t wanted = std::min(kBlocksPerSm * c.gpu.sm_count, c.most_blocks);
    if (c.blocks >= wanted) return std::nullopt;
    return Finding{double(c.blocks), double(wanted), "blocks"};
}

}  // namespace

std::vector<AnyRule> parallelism_rules() {
    return {
        TilingRule{
            {"idle_sms", "fewer blocks than twice the number of SMs, where more are possible"},
            TilingCandidate::Asked::wish,
            too_few_blocks},
    };
}

}  // namespace autoschedule_gpu
