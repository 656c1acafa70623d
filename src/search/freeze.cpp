#include "search/freeze.h"

#include <algorithm>
#include <bit>

namespace autoschedule_gpu {

namespace {

// Funcs of the most expensive kernels, those inlined into them included.
std::vector<bool> free_funcs(const Dag &dag, const State &state, size_t decided) {
    std::vector<double> cost(dag.funcs.size(), 0);
    for (size_t k = 0; k < state.nest.kernels.size(); ++k) {
        cost[dag.stage(state.nest.kernels[k]->stage).func.index()] += state.kernel_costs[k];
    }
    std::vector<size_t> order;
    for (size_t i = 0; i < cost.size(); ++i) {
        if (cost[i] > 0) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return cost[a] > cost[b]; });
    const size_t logarithm = decided < 2 ? decided : std::bit_width(decided - 1);  // rounded up
    order.resize(std::min(order.size(), logarithm));
    std::vector<bool> free(dag.funcs.size(), false);
    for (size_t i : order) free[i] = true;
    for (const KernelPtr &kernel : state.nest.kernels) {
        if (!free[dag.stage(kernel->stage).func.index()]) continue;
        for (FuncId func : kernel->inlined) free[func.index()] = true;
    }
    return free;
}

}  // namespace

Frozen::Frozen(const SearchSpace &space, const State &state) {
    const Dag &dag = space.dag();
    places_.resize(dag.funcs.size());
    tilings_.resize(dag.stages.size());
    std::vector<FuncId> decided;
    for (const Step &step : space.steps()) {
        if (step.kind == Step::Kind::place) decided.push_back(step.func);
    }
    const std::vector<bool> free = free_funcs(dag, state, decided.size());
    for (FuncId func : decided) {
        if (free[func.index()]) continue;
        ++funcs_;
        const bool root = state.nest.placement(func) == Placement::root;
        places_[func.index()] = root ? Move::Kind::compute_root : Move::Kind::compute_inline;
        if (!root) continue;
        for (StageId stage : dag.func(func).stages) {
            const size_t home = static_cast<size_t>(state.home[stage.index()]);
            tilings_[stage.index()] = state.nest.kernels[home]->tiling;
        }
    }
}

std::optional<Move> Frozen::move(const SearchSpace &space, const State &state,
                                 const Step &step) const {
    if (places_.empty() || !places_[step.func.index()]) return std::nullopt;
    if (step.kind == Step::Kind::place) {
        return make_move(*places_[step.func.index()], step.func);
    }
    if (state.nest.placement(step.func) != Placement::root) return std::nullopt;
    const std::vector<Tiling> &all = space.tilings(step.stage);
    const auto found = std::find(all.begin(), all.end(), tilings_[step.stage.index()]);
    if (found == all.end()) return std::nullopt;
    Move move = make_move(Move::Kind::tile_root, step.func);
    move.kernel = static_cast<size_t>(state.home[step.stage.index()]);
    move.tiling = &*found;
    return move;
}

}  // namespace autoschedule_gpu
