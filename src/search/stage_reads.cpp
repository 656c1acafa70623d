#include "search/stage_reads.h"

#include <algorithm>

#include "search/best_move.h"
#include "search/pass.h"
#include "search/refine.h"
#include "space/wrappers.h"

namespace autoschedule_gpu {

namespace {

// The second finds what another tiling has made worth its while.
constexpr int kRounds = 2;
// Reads by kernels that take less of the whole than this are left alone.
constexpr double kLeastShare = 0.005;

State with_costs(State state, KernelCosts &costs) {
    state.kernel_costs.resize(state.nest.kernels.size());
    costs.compute(state.nest.kernels, state.kernel_costs);
    for (double cost : state.kernel_costs) state.cost += cost;
    return state;
}

// Wrappers and the copies that the search has left inline; producers first.
std::vector<FuncId> candidates(const SearchSpace &space, const std::vector<FuncId> &wrappers,
                               const State &state) {
    std::vector<FuncId> result = wrappers;
    for (const Step &step : space.steps()) {
        if (step.kind == Step::Kind::place && is_copy(space.dag(), step.func) &&
            state.nest.placement(step.func) == Placement::inlined) {
            result.push_back(step.func);
        }
    }
    std::sort(result.begin(), result.end());
    return result;
}

// Consumers first, as in the search, each in its best place or none.
State staged(SearchParts &parts, const std::vector<FuncId> &copies, State state) {
    for (auto copy = copies.rbegin(); copy != copies.rend() && !parts.time_is_up(); ++copy) {
        if (state.nest.placement(*copy) != Placement::inlined) continue;
        const std::vector<size_t> kernels = consumer_kernels(parts.space.dag(), state, *copy);
        if (kernels.size() != 1) continue;
        if (state.kernel_costs[kernels[0]] < kLeastShare * state.cost) continue;
        const std::vector<Move> moves =
            parts.space.staging_moves(state, *copy, parts.report.rejections);
        if (std::optional<State> better = best_of(parts, state, moves)) state = std::move(*better);
    }
    return state;
}

}  // namespace

std::optional<StagedReads> stage_reads(const SearchSpace &space, const CostModel &model,
                                       const SearchOptions &options, const State &state,
                                       SearchReport &report) {
    const PhaseTimer timer(report.times.stage);
    WrappedReads wrapped = with_wrapped_reads(space.dag(), state.nest);
    const SearchSpace wider(wrapped.dag, space.gpu(), space.rules(), Freedom::full);
    const Stopwatch watch;
    ThreadPool pool(options.limits.threads);
    ModelCosts model_costs(wrapped.dag, space.gpu(), model, pool);
    StructureBook book;
    const Decisions none;
    SearchParts parts{wider, options, pool, model_costs, book, none, report, watch};
    const State before = with_costs(wider.adopt(wrapped.nest), model_costs);
    const std::vector<FuncId> copies = candidates(wider, wrapped.wrappers, before);
    State after = before;
    for (int round = 0; round < kRounds; ++round) {
        const double cost = after.cost;
        after = staged(parts, copies, std::move(after));
        if (after.cost >= cost) break;
        after = refine_tilings(parts, std::move(after));
    }
    if (after.cost >= before.cost) return std::nullopt;
    return StagedReads{std::move(wrapped.dag), std::move(after)};
}

}  // namespace autoschedule_gpu
