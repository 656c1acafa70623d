#include "scheduler/search/copy_reordered.h"

#include <algorithm>
#include <memory>
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
constexpr double kLeastShare = 0.05, kLeastHope = 0.03;
// What gains less than this is not worth the memory.
constexpr double kLeastGain = 0.01;
constexpr size_t kMostTrials = 4;

struct Candidate {
    FuncId func;
    int innermost = 0;
    double gain = 0;  // nanoseconds, with the kernels as they are
};

struct Reader {
    KernelPtr kernel;  // reads it from memory
    double inlined;    // nanoseconds, as it is
};

std::vector<Reader> readers_of(const State &state, FuncId func) {
    std::vector<Reader> result;
    for (size_t k = 0; k < state.nest.kernels.size(); ++k) {
        const Kernel &kernel = *state.nest.kernels[k];
        if (kernel.on_host || std::ranges::find(kernel.inlined, func) == kernel.inlined.end()) {
            continue;
        }
        result.push_back(
            {KernelDraft(without_inlined(kernel, func)).finish(), state.kernel_costs[k]});
    }
    return result;
}

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

class Copying {
public:
    Copying(const SearchSpace &space, const CostModel &model, SearchContext &context,
            SearchReport &report, const State &state)
        : space_(space),
          model_(model),
          context_(context),
          report_(report),
          pool_(context.options.limits.threads),
          best_{std::make_shared<const Dag>(space.dag()), state} {}

    std::optional<ReorderedStorage> run() {
        const double before = best_.state.cost;
        std::vector<Candidate> all = candidates();
        if (all.size() > kMostTrials) all.resize(kMostTrials);
        for (const Candidate &candidate : all) {
            if (context_.clock.is_up()) break;
            if (best_.state.nest.place(candidate.func) != Place::inlined) continue;
            std::optional<ReorderedStorage> other = tried(candidate);
            if (other && other->state.cost < (1 - kLeastGain) * best_.state.cost) {
                best_ = *std::move(other);
            }
        }
        if (best_.state.cost == before) return std::nullopt;
        return std::move(best_);
    }

private:
    // The best first.
    std::vector<Candidate> candidates() {
        std::vector<Candidate> result;
        const Dag &dag = space_.dag();
        for (size_t f = 0; f < dag.funcs.size() && !context_.clock.is_up(); ++f) {
            const FuncId func(f);
            if (best_.state.nest.place(func) == Place::inlined && may_reorder_storage(dag, func)) {
                add_candidates(func, result);
            }
        }
        std::ranges::stable_sort(result, std::ranges::greater(), &Candidate::gain);
        return result;
    }

    void add_candidates(FuncId func, std::vector<Candidate> &result) {
        const State &state = best_.state;
        double now = 0;
        std::vector<KernelPtr> kernels;
        for (const Reader &reader : readers_of(state, func)) {
            kernels.push_back(reader.kernel);
            now += reader.inlined;
        }
        if (now < kLeastShare * state.cost) return;
        const std::vector<Dimension> &dims = space_.dag().func(func).dims;
        for (int d = 1; d < static_cast<int>(dims.size()); ++d) {
            if (dims[static_cast<size_t>(d)].estimate.extent() <= 1) continue;
            const Dag reordered = with_innermost(space_.dag(), func, d);
            ModelCosts costs(reordered, space_.gpu(), model_, pool_);
            const double gain = now - total_cost(costs, kernels);
            if (gain > kLeastHope * state.cost) result.push_back({func, d, gain});
        }
    }

    std::optional<ReorderedStorage> tried(const Candidate &candidate) {
        auto dag = std::make_shared<const Dag>(
            with_innermost(*best_.dag, candidate.func, candidate.innermost));
        const SearchSpace before = space_.stored_otherwise(*best_.dag);
        const SearchSpace space = space_.stored_otherwise(*dag);
        std::optional<State> again =
            decided_again(space, Decided(before, best_.state), candidate.func);
        if (!again) return std::nullopt;
        Workbench bench(space, model_, context_, report_);
        State state = improve_tilings(bench.parts, with_costs(bench.costs, *std::move(again)));
        state = reconsider_once(bench.parts, state, readers_of(*dag, candidate.func));
        bench.costs.add_counts(report_);
        return ReorderedStorage{std::move(dag), std::move(state)};
    }

    const SearchSpace &space_;
    const CostModel &model_;
    SearchContext &context_;
    SearchReport &report_;
    ThreadPool pool_;
    ReorderedStorage best_;
};

}  // namespace

std::optional<ReorderedStorage> copy_reordered(const SearchSpace &space, const CostModel &model,
                                               SearchContext &context, const State &state,
                                               SearchReport &report) {
    RunningPart part(report, "copy_reordered", state.cost);
    std::optional<ReorderedStorage> copied = Copying(space, model, context, report, state).run();
    part.done(copied ? copied->state.cost : state.cost);
    return copied;
}

}  // namespace autoschedule_gpu
