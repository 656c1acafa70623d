#include "scheduler/search/stage_inputs.h"

#include <algorithm>

#include "scheduler/search/best_move.h"
#include "scheduler/search/each_kernel.h"
#include "scheduler/search/improve_tilings.h"
#include "scheduler/search/pass.h"
#include "scheduler/search/reconsider_places.h"
#include "scheduler/space/wrappers.h"

namespace autoschedule_gpu {

namespace {

// The second finds what another tiling has made worth its while.
constexpr int kInputRounds = 2;

// Wrappers and the copies that the search has left inline, but for those of what costs no more than
// a load; producers first.
std::vector<FuncId> candidates(const SearchSpace &space, const std::vector<FuncId> &wrappers,
                               const State &state) {
    std::vector<FuncId> result = wrappers;
    for (const Step &step : space.steps()) {
        if (step.kind == Step::Kind::place && is_copy(space.dag(), step.func) &&
            state.nest.place(step.func) == Place::inlined) {
            result.push_back(step.func);
        }
    }
    std::erase_if(result,
                  [&](FuncId copy) { return space.facts().cheap_from_coordinates[copy.index()]; });
    std::sort(result.begin(), result.end());
    return result;
}

// The kernel that reads an inlined copy, if it is one.
std::optional<size_t> reader_of(const SearchSpace &space, const State &state, FuncId copy) {
    if (state.nest.place(copy) != Place::inlined) return std::nullopt;
    const std::vector<size_t> kernels = consumer_kernels(space.dag(), state, copy);
    return kernels.size() == 1 ? std::optional(kernels[0]) : std::nullopt;
}

enum class CopyIn : uint8_t { any_memory, shared_memory };

// What makes its kernel dearer by more than this, with the tiling that the kernel has, no other
// tiling makes worth it: of 458 copies that made it dearer by up to 5 % twelve became cheaper, of
// 471 others none.
constexpr double kMostRiseBeforeTiling = 1.05;

// A copy in its best place in the kernel that reads it, with the tiling that the kernel has. What
// the place is worth shows with the tiling that suits it: the best one for reads from global memory
// leaves no room.
std::optional<State> with_copy(SearchParts &parts, const State &state, FuncId copy, CopyIn memory) {
    std::vector<Decision> moves =
        parts.space.staging_decisions(state, copy, parts.report.rejections);
    if (memory == CopyIn::shared_memory) {
        std::erase_if(moves, [](const Decision &move) { return move.place == Place::threads; });
    }
    return cheapest_of(parts, state, moves);
}

// Consumers first, as in the search, each in its best place or none.
State staged(SearchParts &parts, const std::vector<FuncId> &copies, State state) {
    for (auto copy = copies.rbegin(); copy != copies.rend() && !parts.time_is_up(); ++copy) {
        const std::optional<size_t> kernel = reader_of(parts.space, state, *copy);
        if (!kernel || state.kernel_costs[*kernel] < kLeastShare * state.cost) continue;
        std::optional<State> other = with_copy(parts, state, *copy, CopyIn::any_memory);
        if (!other) continue;
        const double rise = other->cost - state.cost;
        if (rise > (kMostRiseBeforeTiling - 1) * state.kernel_costs[*kernel]) continue;
        other = improve_tiling_from_all(parts, *other, *kernel);
        if (other->cost < state.cost) state = *std::move(other);
    }
    return state;
}

// Every copy in its best place, and the tilings that suit these.
State stage_and_refine(SearchParts &parts, const std::vector<FuncId> &copies, State state) {
    for (int round = 0; round < kInputRounds; ++round) {
        const double cost = state.cost;
        state = staged(parts, copies, std::move(state));
        if (state.cost >= cost) break;
        state = improve_tilings(parts, std::move(state));
    }
    return state;
}

// What is at root may have been better off there with staged reads than what was compared with it,
// and a reduction that is computed where it is read may be better off at root.
std::vector<FuncId> funcs_to_revise(const SearchSpace &space, const State &state) {
    const Dag &dag = space.dag();
    std::vector<bool> expensive(state.nest.kernels.size(), false);
    for (size_t kernel : most_expensive_kernels(state)) expensive[kernel] = true;
    std::vector<FuncId> result;
    for (const Step &step : space.steps()) {
        if (step.kind != Step::Kind::place) continue;
        const Place place = state.nest.place(step.func);
        const std::vector<StageId> &stages = dag.func(step.func).stages;
        const bool chosen = place == Place::root || (is_in_kernel(place) && stages.size() > 1);
        if (!chosen) continue;
        const int32_t kernel = state.home[stages[0].index()];
        if (kernel >= 0 && expensive[static_cast<size_t>(kernel)]) result.push_back(step.func);
    }
    return result;
}

}  // namespace

std::optional<StagedReads> stage_inputs(const SearchSpace &space, const CostModel &model,
                                        SearchContext &context, const State &state,
                                        SearchReport &report) {
    const PhaseTimer timer(report.times.stage);
    RunningPart part(report, "stage_inputs", state.cost);
    WrappedReads wrapped = with_wrapped_reads(space.dag(), state.nest);
    const SearchSpace wider(wrapped.dag, space.gpu(), space.rules(), Freedom::full);
    Workbench bench(wider, model, context, report);
    const State before = with_costs(bench.costs, wider.adopt(wrapped.nest));
    State after =
        stage_and_refine(bench.parts, candidates(wider, wrapped.wrappers, before), before);
    after = reconsider_once(bench.parts, after, funcs_to_revise(wider, after));
    after = repeat_kernels(bench.parts, std::move(after));
    bench.costs.add_counts(report);
    part.done(after.cost);
    if (after.cost >= before.cost) return std::nullopt;
    return StagedReads{std::move(wrapped.dag), std::move(after)};
}

State with_staged_reads(SearchParts &parts, const WrappedReads &wrapped,
                        std::span<const size_t> kernels, double most_rise) {
    const State before = with_costs(parts.costs, parts.space.adopt(wrapped.nest));
    State now = before;
    const std::vector<FuncId> copies = candidates(parts.space, wrapped.wrappers, now);
    for (auto copy = copies.rbegin(); copy != copies.rend(); ++copy) {
        const std::optional<size_t> kernel = reader_of(parts.space, now, *copy);
        if (!kernel || std::ranges::find(kernels, *kernel) == kernels.end()) continue;
        std::optional<State> other = with_copy(parts, now, *copy, CopyIn::shared_memory);
        if (!other) continue;
        other = improve_tiling(parts, *std::move(other), *kernel);
        if (other->cost < most_rise * before.cost) now = *std::move(other);
    }
    return now;
}

}  // namespace autoschedule_gpu
