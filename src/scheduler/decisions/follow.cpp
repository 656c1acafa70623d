#include "scheduler/decisions/follow.h"

#include "scheduler/decisions/follower.h"

namespace autoschedule_gpu {

Result<Followed> follow(const DecisionList &list, const Dag &dag, const GpuModel &gpu,
                        const RuleBook &rules, const StageKinds &kinds) {
    const auto follower = Follower::create(list, dag, gpu, rules, kinds);
    if (!follower) return follower.error();
    return Followed{(*follower)->dag(), (*follower)->end()};
}

Status check_names(const DecisionList &list, const Dag &dag, const StageKinds &kinds,
                   const std::function<bool(const Coordinate &)> &meant) {
    const Dag wrapped = with_listed_wrappers(list, dag);
    const Result<ResolvedList> resolved =
        ResolvedList::create(list, wrapped, Names(wrapped), kinds, meant);
    if (!resolved) return resolved.error();
    return Ok{};
}

}  // namespace autoschedule_gpu
