#include "plugins/extensions/added_strategy.h"

#include <optional>
#include <utility>
#include <variant>

#include "core/support/parallel.h"
#include "scheduler/search/plain.h"
#include "scheduler/search/search_costs.h"

namespace autoschedule_gpu::api {

// A state of the search before its next step. What may be decided there is listed when somebody
// asks, and kept.
struct SearchState {
    autoschedule_gpu::State state;
    size_t step = 0;
    mutable std::optional<std::vector<autoschedule_gpu::Decision>> decisions = {};
};

}  // namespace autoschedule_gpu::api

namespace autoschedule_gpu {
namespace {

// The search space as a user's strategy sees it, and a report of what was asked. Asked by one
// thread at a time.
class SpaceProblem final : public api::SearchProblem {
public:
    SpaceProblem(const SearchSpace &space, KernelCosts &costs, SearchReport &report)
        : space_(space), costs_(costs), report_(report) {}

    api::SearchStatePtr start() const { return before_next_step(space_.initial(), 0); }

    std::vector<api::Choice> choices(const api::SearchStatePtr &state) const override {
        std::vector<api::Choice> result;
        for (const Decision &decision : decisions_of(*state)) {
            result.push_back({text_of(state->state.nest, decision), result.size()});
        }
        return result;
    }

    std::variant<api::SearchStatePtr, api::Rejection> take(
        const api::SearchStatePtr &state, const api::Choice &choice) const override {
        auto made = space_.apply(state->state, decisions_of(*state).at(choice.number));
        if (const auto *rejection = std::get_if<Rejection>(&made)) {
            ++report_.states_rejected;
            report_.rejections.count(rejection->rule);
            return api::Rejection{space_.rules()[rejection->rule].name};
        }
        ++report_.states_scored;
        State next = materialise(space_.dag(), costs_, state->state, std::get<Successor>(made));
        return before_next_step(std::move(next), state->step + 1);
    }

    double cost(const api::SearchStatePtr &state) const override { return state->state.cost; }

private:
    // Steps at which nothing is left to decide are passed over.
    api::SearchStatePtr before_next_step(State state, size_t step) const {
        const std::vector<Step> &steps = space_.steps();
        while (step < steps.size() && steps[step].kind == Step::Kind::tile &&
               state.nest.place(steps[step].func) != Place::root) {
            ++step;
        }
        return std::make_shared<const api::SearchState>(api::SearchState{std::move(state), step});
    }

    const std::vector<Decision> &decisions_of(const api::SearchState &state) const {
        if (!state.decisions) {
            state.decisions.emplace();
            if (state.step < space_.steps().size()) {
                ++report_.steps;
                state.decisions = space_.decisions(state.state, space_.steps()[state.step],
                                                   Retile::yes, report_.rejections);
                report_.states_enumerated += state.decisions->size();
            }
        }
        return *state.decisions;
    }

    // "blur_x: block of blur_y, serial 1 4", "blur_y: tile 32*1 8*4": threads and serial points.
    // Where the serial tile is not listed point by point.
    static std::string_view tile_text(MemberTile tile) {
        switch (tile) {
            case MemberTile::given:
                return "";
            case MemberTile::one_point:
                return ", one point";
            case MemberTile::like_root:
                return ", serial as at root";
            case MemberTile::cooperative:
                return ", cooperative";
            case MemberTile::fitted:
                return ", as the threads at root";
        }
        return "";
    }

    std::string text_of(const Nest &nest, const Decision &decision) const {
        const Dag &dag = space_.dag();
        const auto kernel_name = [&] {
            return stage_name(dag, nest.kernels[decision.kernel]->stage);
        };
        std::string text =
            (is_tiling(decision) ? kernel_name() : dag.func(decision.func).name) + ":";
        if (decision.place != Place::undecided)
            text += " " + std::string(to_string(decision.place));
        if (is_in_kernel(decision.place)) text += " of " + kernel_name();
        if (is_in_block(decision.place)) text += tile_text(decision.tile);
        if (!decision.serial.empty()) text += ", serial";
        for (int64_t points : decision.serial) text += " " + std::to_string(points);
        if (decision.tiling == nullptr) return text;
        text += is_tiling(decision) ? " tile" : ", tile";
        for (const LoopTile &tile : *decision.tiling) {
            text += " " + std::to_string(tile.threads) + "*" + std::to_string(tile.serial);
        }
        return text;
    }

    const SearchSpace &space_;
    KernelCosts &costs_;
    SearchReport &report_;
};

class AddedStrategy final : public SearchStrategy {
public:
    AddedStrategy(std::shared_ptr<const api::SearchStrategy> strategy, const api::Options &options)
        : strategy_(std::move(strategy)), options_(options), info_{.name = strategy_->name()} {}

    const StrategyInfo &info() const override { return info_; }

    SearchResult search(const SearchProblem &problem, SearchContext &context) const override {
        SearchReport report;
        const Stopwatch watch;
        RunningPart part(report, info_.name, 0);
        ThreadPool pool(1);
        SearchCosts costs(problem.space, *problem.models.model, pool, context.clock,
                          context.options.memo, context.options.limits.memo_bytes);
        const SpaceProblem seen(problem.space, costs, report);
        const api::SearchStatePtr start = seen.start();
        api::SearchStatePtr best = strategy_->search(
            seen, start, {options_, [&context] { return context.clock.is_up(); }});
        if (best == nullptr) best = start;
        State state = complete_plainly(problem.space, costs, best->state, best->step);
        report.passes = 1;
        report.pass_costs = {state.cost};
        report.times.total = watch.seconds();
        costs.add_counts(report);
        part.done(state.cost);
        return {{std::move(state)}, std::move(report)};
    }

private:
    std::shared_ptr<const api::SearchStrategy> strategy_;
    api::Options options_;
    StrategyInfo info_;
};

}  // namespace

std::vector<std::shared_ptr<const SearchStrategy>> added_strategies(
    std::span<const Extension> extensions, const api::Options &options) {
    std::vector<std::shared_ptr<const SearchStrategy>> strategies;
    for (const Extension &extension : extensions) {
        for (const auto &strategy : extension.added.strategies) {
            strategies.push_back(std::make_shared<const AddedStrategy>(strategy, options));
        }
    }
    return strategies;
}

}  // namespace autoschedule_gpu
