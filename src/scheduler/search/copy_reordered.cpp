#include "scheduler/search/copy_reordered.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/dag/storage_order.h"
#include "scheduler/nest/edit.h"
#include "scheduler/search/improve_tilings.h"
#include "scheduler/search/reconsider_places.h"
#include "scheduler/search/search_parts.h"

namespace autoschedule_gpu {
namespace {

// Of the whole: what the kernels that read such a Func take, and what is gained without the copy's
// own kernel. Less is left alone.
constexpr double kLeastShareOfCopy = 0.05, kLeastHope = 0.03;
constexpr size_t kMostCopies = 4;

// Decisions that suited what was read inline may not suit the copy.
std::vector<FuncId> readers_of(const Dag &dag, FuncId func) {
    std::vector<FuncId> result;
    for (const EdgeId edge : dag.consumers[func.index()]) {
        result.push_back(dag.stage(dag.edge(edge).consumer).func);
    }
    std::ranges::sort(result);
    result.erase(std::ranges::unique(result).begin(), result.end());
    return result;
}

// The same decisions in a space in which `func` is stored otherwise, with it at root; its kernel is
// tiled as `SearchSpace::apply` begins. Nothing if one of them can't be made there.
std::optional<State> decided_again(const SearchSpace &space, const Decided &decided, FuncId func) {
    State state = space.initial();
    for (const Step &step : space.steps()) {
        std::optional<Decision> decision;
        if (step.func != func) {
            decision = decided.decision(space, state, step);
        } else if (step.kind == Step::Kind::place) {
            decision = decide_place(func, Place::root);
        }
        if (!decision) {
            if (step.kind == Step::Kind::place) return std::nullopt;
            continue;
        }
        const auto applied = space.apply(state, *decision);
        if (!std::holds_alternative<Successor>(applied)) return std::nullopt;
        state = with_open_costs(space.dag(), std::move(state), std::get<Successor>(applied));
    }
    return state;
}

class Copying final : public OtherOrders {
public:
    Copying(const SearchSpace &space, const CostModel &model, SearchContext &context,
            SearchReport &report, const State &state)
        : OtherOrders(space, model, context, report, state, Place::inlined, kMostCopies) {}

private:
    void add_candidates(FuncId func, ThreadPool &pool,
                        std::vector<Candidate> &result) const override {
        const State &state = best_.state;
        const std::vector<size_t> readers = consumer_kernels(space_.dag(), state, func);
        double now = 0;
        for (const size_t k : readers) {
            if (state.nest.kernels[k]->on_host) return;
            now += state.kernel_costs[k];
        }
        if (now < kLeastShareOfCopy * state.cost) return;
        std::vector<KernelPtr> kernels;  // that read it from memory
        for (const size_t k : readers) {
            const Kernel reading = without_inlined(*state.nest.kernels[k], func);
            kernels.push_back(KernelDraft(reading).finish());
        }
        const std::vector<Dimension> &dims = space_.dag().func(func).dims;
        for (int d = 1; d < static_cast<int>(dims.size()); ++d) {
            if (dims[static_cast<size_t>(d)].estimate.extent() <= 1) continue;
            const Dag reordered = with_innermost(space_.dag(), func, d);
            const double gain = now - cost_over(reordered, kernels, pool);
            if (gain > kLeastHope * state.cost) result.push_back({func, d, gain});
        }
    }

    std::optional<ReorderedStorage> tried(const Candidate &candidate) override {
        auto dag = dag_of(candidate);
        const SearchSpace space = space_.stored_otherwise(*dag);
        std::optional<State> again =
            decided_again(space, Decided(space, best_.state), candidate.func);
        if (!again) return std::nullopt;
        Workbench bench(space, model_, context_, report_);
        State state = improve_tilings(bench.parts, with_costs(bench.costs, *std::move(again)));
        state = reconsider_once(bench.parts, state, readers_of(*dag, candidate.func));
        bench.costs.add_counts(report_);
        return ReorderedStorage{std::move(dag), std::move(state)};
    }
};

}  // namespace

std::optional<ReorderedStorage> copy_reordered(const SearchSpace &space, const CostModel &model,
                                               SearchContext &context, const State &state,
                                               SearchReport &report) {
    return Copying(space, model, context, report, state).run("copy_reordered");
}

}  // namespace autoschedule_gpu
