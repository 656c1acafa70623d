#include "scheduler/decisions/follow.h"

#include <set>
#include <string>
#include <utility>

#include "core/dag/storage_order.h"
#include "scheduler/decisions/kinds/compute_with.h"
#include "scheduler/decisions/names.h"
#include "scheduler/decisions/walk.h"
#include "scheduler/space/wrappers.h"

namespace autoschedule_gpu {
namespace {

// The wrappers of single readers for which the list has a place.
std::set<WrappedRead> named_reads(const DecisionList &list, const Dag &dag) {
    std::set<std::string> named;
    for (const Coordinate &decision : list.decisions) {
        if (decision.kind == decision_kind::place) named.insert(decision.name);
    }
    const Names names(dag);
    std::set<WrappedRead> reads = wrappable_reads(dag);
    std::erase_if(reads, [&](const auto &read) { return !named.contains(names.wrapper(read)); });
    return reads;
}

// The Dag with the orders in memory that the list decides. A Func is named once, as is checked when
// the list is resolved.
Result<Dag> stored_as_listed(const DecisionList &list, Dag dag) {
    const Names names(dag);
    for (size_t i = 0; i < list.decisions.size(); ++i) {
        const Coordinate &decision = list.decisions[i];
        if (decision.kind != decision_kind::storage) continue;
        const std::optional<FuncId> func = names.find(decision.name);
        if (!func) continue;  // as well
        const std::string &wanted = std::get<std::string>(decision.value);
        const std::optional<int> dim = names.find_dimension(*func, wanted);
        if (!dim) return refusal(list, i, "the Func has no such dimension");
        if (!may_reorder_storage(dag, *func)) {
            return refusal(list, i, "its dimensions stay in memory as they are");
        }
        dag = with_innermost(std::move(dag), *func, *dim);
    }
    return dag;
}

}  // namespace

Result<Followed> follow(const DecisionList &list, const Dag &base, const GpuModel &gpu,
                        const RuleBook &rules, const StageKinds &kinds) {
    Result<Dag> stored = stored_as_listed(list, with_wrappers(base, named_reads(list, base)));
    if (!stored) return stored.error();
    const auto dag = std::make_shared<const Dag>(std::move(stored).value());
    const Result<ResolvedList> resolved = ResolvedList::create(list, *dag, Names(*dag), kinds);
    if (!resolved) return resolved.error();
    const SearchSpace space =
        SearchSpace(*dag, gpu, rules, list.freedom).with_steps_of(single_reader_wrappers(*dag));
    const ListedSteps steps{space, *resolved, list};
    State state = space.initial();
    for (const Step &step : space.steps()) {
        std::variant<State, RefusedStep> after = after_step(steps, std::move(state), step);
        if (const auto *refused = std::get_if<RefusedStep>(&after)) return refusal(list, *refused);
        state = std::get<State>(std::move(after));
    }
    std::variant<State, RefusedStep> end = after_stage_kinds(steps, kinds, std::move(state));
    if (const auto *refused = std::get_if<RefusedStep>(&end)) return refusal(list, *refused);
    end = after_launches(steps, std::get<State>(std::move(end)));
    if (const auto *refused = std::get_if<RefusedStep>(&end)) return refusal(list, *refused);
    return Followed{dag, std::get<State>(std::move(end))};
}

}  // namespace autoschedule_gpu
