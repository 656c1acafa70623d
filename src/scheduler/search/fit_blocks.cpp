#include "scheduler/search/fit_blocks.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "scheduler/search/best_move.h"
#include "scheduler/search/each_kernel.h"
#include "scheduler/search/improve_tilings.h"
#include "scheduler/search/reconsider_places.h"
#include "scheduler/space/fitted_members.h"

namespace autoschedule_gpu {

namespace {

// The kernel's own tiling, as it was before it was narrowed, and its neighbours.
std::vector<Tiling> tilings_around(const SearchSpace &space, const Kernel &kernel) {
    std::vector<Tiling> result{widened(space.dag(), kernel, space.gpu().warp_size)};
    for (const Tiling &tiling : space.tilings(kernel.stage)) {
        if (are_neighbours(tiling, result.front())) result.push_back(tiling);
    }
    return result;
}

State fit(SearchParts &parts, State state, size_t k) {
    const KernelPtr &kernel = state.nest.kernels[k];
    if (kernel->on_host || kernel->blocks->body.size() == 1) return state;
    const double least = kLeastGain * state.kernel_costs[k];
    for (int round = 0; round < kMostRounds && !parts.time_is_up(); ++round) {
        const std::vector<Tiling> tilings = tilings_around(parts.space, *state.nest.kernels[k]);
        std::vector<Decision> moves;  // which refer to the tilings
        for (const Tiling &tiling : tilings) {
            std::ranges::move(parts.space.fitted_tiles(state, k, tiling),
                              std::back_inserter(moves));
        }
        std::optional<State> better = best_of(parts, state, moves);
        if (!better || better->cost > state.cost - least) break;
        state = std::move(*better);
    }
    return state;
}

}  // namespace

State fit_blocks(const SearchSpace &space, const CostModel &model, SearchContext &context,
                 State state, SearchReport &report) {
    RunningPart part(report, "fit_blocks", state.cost);
    Workbench bench(space, model, context, report);
    state = improve_kernels(bench.parts, std::move(state), fit);
    state = repeat_kernels(bench.parts, std::move(state));
    bench.costs.add_counts(report);
    part.done(state.cost);
    return state;
}

}  // namespace autoschedule_gpu
