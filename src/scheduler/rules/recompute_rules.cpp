// How much work may be done again.
#include <algorithm>

#include "scheduler/rules/families.h"

namespace autoschedule_gpu {

namespace {

// A state that requires excessive recomputation is rejected (Anderson 2021 §4).
constexpr double kMaxRecompute = 10;

double points_at_root(const Func &func) {
    double result = 1;
    for (const Dimension &dim : func.dims) result *= static_cast<double>(dim.estimate.extent());
    return std::max(1.0, result);
}

Verdict evaluated_too_often(const FusionCandidate &c) {
    if (c.is_copy) return std::nullopt;
    const double evaluations = c.evaluations(), once = points_at_root(c.dag.func(c.func));
    if (evaluations <= kMaxRecompute * once) return std::nullopt;
    return Finding{evaluations / once, kMaxRecompute, "evaluations for each at root"};
}

}  // namespace

std::vector<AnyRule> recompute_rules() {
    return {
        FusionRule{{"excess_recompute",
                    "a Func, other than a copy, evaluated more than ten times as often as at root"},
                   FusionCandidate::Asked::complete,
                   evaluated_too_often},
    };
}

}  // namespace autoschedule_gpu
