#include "scheduler/search/reorder_storage.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "core/dag/storage_order.h"
#include "scheduler/nest/channel_vectors.h"
#include "scheduler/search/best_move.h"
#include "scheduler/search/each_kernel.h"
#include "scheduler/search/improve_tilings.h"
#include "scheduler/search/search_parts.h"
#include "scheduler/space/stored_anew.h"

namespace autoschedule_gpu {

namespace {

// Kernels that cost so much more as they are tiled are not tried with other tilings.
constexpr double kMostRise = 1.25;
constexpr size_t kMostTrials = 16;

// Funcs that are inlined in kernels which read `func`, and would be vectors in their threads.
std::vector<FuncId> channels_of_readers(const Dag &dag, const State &state, FuncId func) {
    std::vector<FuncId> result;
    for (const size_t k : consumer_kernels(dag, state, func)) {
        std::ranges::copy(inlined_channels(dag, *state.nest.kernels[k]),
                          std::back_inserter(result));
    }
    return result;
}

// The ways to compute a Func, which is inlined in one kernel, in the threads of that, in all
// tilings.
std::vector<Decision> ways_into_threads(const SearchSpace &space, const State &state, FuncId func) {
    const Dag &dag = space.dag();
    const std::vector<size_t> readers = consumer_kernels(dag, state, func);
    if (readers.size() != 1) return {};
    const Kernel &kernel = *state.nest.kernels[readers[0]];
    const std::vector<const Band *> bands = consumer_bands(dag, kernel, func);
    if (bands.size() != 1) return {};
    std::vector<Decision> ways;
    for (const Tiling &tiling : space.tilings(kernel.stage)) {
        Decision &way = ways.emplace_back(decide_tiling(func, readers[0], tiling));
        way.place = Place::threads;
        way.site = bands[0]->stage;
    }
    return ways;
}

// The state with a Func that is inlined in the threads of what reads it, if that costs less.
State in_threads(SearchParts &parts, State state, FuncId func) {
    const std::vector<Decision> ways = ways_into_threads(parts.space, state, func);
    if (ways.empty()) return state;
    std::optional<State> other = cheapest_of(parts, state, ways);
    if (!other) return state;
    other = improve_tiling(parts, *std::move(other), ways.front().kernel);
    return other->cost < state.cost ? *std::move(other) : state;
}

class Reordering final : public OtherOrders {
public:
    Reordering(const SearchSpace &space, const CostModel &model, SearchContext &context,
               SearchReport &report, const State &state)
        : OtherOrders(space, model, context, report, state, Place::root, kMostTrials) {}

private:
    void add_candidates(FuncId func, ThreadPool &pool,
                        std::vector<Candidate> &result) const override {
        const State &state = best_.state;
        std::vector<KernelPtr> kernels;
        double now = 0;
        for (const size_t k : kernels_that_touch(space_.dag(), state, func)) {
            if (state.nest.kernels[k]->on_host) return;
            kernels.push_back(state.nest.kernels[k]);
            now += state.kernel_costs[k];
        }
        if (now < kLeastShare * state.cost) return;
        const std::vector<Dimension> &dims = space_.dag().func(func).dims;
        const int innermost = innermost_dimension(space_.dag().func(func));
        for (int d = 0; d < static_cast<int>(dims.size()); ++d) {
            if (d == innermost || dims[static_cast<size_t>(d)].estimate.extent() <= 1) continue;
            const Dag reordered = with_innermost(space_.dag(), func, d);
            const double other = cost_over(reordered, kernels, pool);
            Candidate candidate{func, d, now - other, channels_of_readers(reordered, state, func)};
            if (other > kMostRise * now && candidate.channels.empty()) continue;
            result.push_back(std::move(candidate));
        }
    }

    std::optional<ReorderedStorage> tried(const Candidate &candidate) override {
        auto dag = dag_of(candidate);
        const SearchSpace space = space_.stored_otherwise(*dag);
        std::optional<State> anew = stored_anew(space, best_.state.nest, candidate.func);
        if (!anew) return std::nullopt;
        Workbench bench(space, model_, context_, report_);
        State state = with_costs(bench.costs, *std::move(anew));
        for (const size_t k : kernels_that_touch(*dag, state, candidate.func)) {
            state = improve_tiling(bench.parts, std::move(state), k);
        }
        for (const FuncId channels : candidate.channels) {
            state = in_threads(bench.parts, std::move(state), channels);
        }
        bench.costs.add_counts(report_);
        return ReorderedStorage{std::move(dag), std::move(state)};
    }
};

}  // namespace

std::optional<ReorderedStorage> reorder_storage(const SearchSpace &space, const CostModel &model,
                                                SearchContext &context, const State &state,
                                                SearchReport &report) {
    return Reordering(space, model, context, report, state).run("reorder_storage");
}

}  // namespace autoschedule_gpu
