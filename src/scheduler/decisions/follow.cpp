#include "scheduler/decisions/follow.h"

#include "scheduler/decisions/follower.h"

namespace autoschedule_gpu {

Result<Followed> follow(const DecisionList &list, const Dag &dag, const GpuModel &gpu,
                        const RuleBook &rules, const StageKinds &kinds) {
    const auto follower = Follower::create(list, dag, gpu, rules, kinds);
    if (!follower) return follower.error();
    return Followed{(*follower)->dag(), (*follower)->end()};
}

std::vector<bool> named(const DecisionList &list, const Dag &dag, const StageKinds &kinds) {
    const Dag wrapped = with_listed_wrappers(list, dag);
    return ResolvedList::named(list, wrapped, Names(wrapped), kinds);
}

}  // namespace autoschedule_gpu
