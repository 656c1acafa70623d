// Rules that whoever lists decisions finds broken: where Halide can compute a Func at all, and what
// is left out by chance.
#include "scheduler/rules/named_rules.h"

#include <algorithm>

#include "scheduler/rules/families.h"

namespace autoschedule_gpu {

namespace {

// A wish: what no tiling can fulfil is not asked for. Copies whose points can't be handed to the
// threads of a block in rounds break the same rule.
Verdict less_than_a_warp(const TilingCandidate &c) {
    const int64_t wanted = std::min(c.gpu.warp_size, c.most_threads);
    if (c.threads >= wanted) return std::nullopt;
    return Finding{double(c.threads), double(wanted), "threads per block"};
}

}  // namespace

std::vector<AnyRule> named_rules() {
    return {
        RuleInfo{"halide_nesting", "a compute site that does not enclose all uses", InForce::always,
                 "Halide"},
        RuleInfo{"host_boundary", "GPU code for, or around, what must stay on the host",
                 InForce::always, "Halide"},
        RuleInfo{
            "dynamic_allocation",
            "a Func in a block or thread whose extents are no compile-time constants and, in a "
            "block, not set by parameters of a known range",
            InForce::always, "Halide"},
        TilingRule{{"low_lane_use", "less than a warp of threads, where more are possible"},
                   TilingCandidate::Asked::wish,
                   less_than_a_warp},
        RuleInfo{"random_dropout", "a decision dropped at random (random_dropout)"},
        RuleInfo{"user_schedule", "a Func elsewhere than where its user has put it",
                 InForce::always, "the user's schedule"},
    };
}

}  // namespace autoschedule_gpu
