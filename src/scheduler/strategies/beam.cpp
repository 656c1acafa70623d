#include <algorithm>
#include <string_view>
#include <utility>

#include "scheduler/decisions/decision_list.h"
#include "scheduler/search/beam_search.h"
#include "scheduler/search/choose_steps.h"
#include "scheduler/search/copy_reordered.h"
#include "scheduler/search/fit_blocks.h"
#include "scheduler/search/greedy_grouping.h"
#include "scheduler/search/order_threads.h"
#include "scheduler/search/pad_rows.h"
#include "scheduler/search/reorder_storage.h"
#include "scheduler/search/share_launches.h"
#include "scheduler/search/slide_windows.h"
#include "scheduler/search/stage_inputs.h"
#include "scheduler/strategies/shipped.h"

namespace autoschedule_gpu {

namespace {

// Of a search that starts from what another one found: most of what it finds, it makes of that.
constexpr int kPassesFromAStart = 1;

// What is decided of kernels that stay as they are, in this order, each under the name by which it
// is switched off (scheduler/decisions/optional_kinds.h). Threads are exchanged when steps have
// been chosen, with which they may be better along one dimension alone (sums over the middle
// dimension of a volume of bytes are predicted to take 88 us on an A100, the other way round 116).
struct Refinement {
    std::string_view kind;
    State (*refined)(const SearchSpace &space, const CostModel &model, SearchContext &context,
                     State state, SearchReport &report);
};
constexpr Refinement kRefinements[] = {{"fitted_blocks", fit_blocks},
                                       {"padding", pad_rows},
                                       {"steps", choose_steps},
                                       {"along_stores", order_threads}};

class Beam final : public SearchStrategy {
public:
    const StrategyInfo &info() const override {
        static constexpr StrategyInfo kInfo{
            .name = "beam", .help = "a search that starts from what greedy_grouping finds."};
        return kInfo;
    }

    SearchResult search(const SearchProblem &problem, SearchContext &context) const override {
        // random_dropout asks for random schedules: do not start from the greedy one.
        if (context.options.random_dropout < 100) {
            return beam_search(problem.space, *problem.models.model, context);
        }
        SearchResult result =
            problem.start != nullptr ? from_start(problem, context) : from_draft(problem, context);
        if (context.options.decides(decision_kind::sliding) &&
            problem.space.freedom() == Freedom::full) {
            put_first(slide_windows(problem.space, *problem.models.model, context,
                                    result.best.front(), result.report),
                      result);
        }
        return result;
    }

    bool finishes() const override { return true; }

    // With staged inputs, other orders of dimensions in memory, fitted blocks, padded rows, steps
    // of reductions written out, and launches that kernels share, each where it pays.
    std::optional<CompleteState> finish(const SearchProblem &problem, SearchContext &context,
                                        const State &state, SearchReport &report) const override {
        std::optional<CompleteState> best = finished(problem, context, state, report);
        const auto copied =
            copy_reordered(problem.space, *problem.models.model, context, state, report);
        if (!copied) return best;
        const SearchSpace space = space_of(problem, *copied->dag, problem.space.freedom());
        const SearchProblem of_copy{space, problem.models, &copied->state.nest};
        // What is cheaper already than all that was finished without it is worth a pass of the
        // search: tiles and places that suited what was read inline may be far from its own.
        const State start = !best || copied->state.cost < best->state.cost
                                ? searched_again(of_copy, context, report)
                                : copied->state;
        const CompleteState other =
            finished(of_copy, context, start, report)
                .value_or(CompleteState{copied->dag, start, space.freedom()});
        return best && best->state.cost <= other.state.cost ? best : other;
    }

private:
    static State searched_again(const SearchProblem &problem, SearchContext &context,
                                SearchReport &report) {
        SearchResult again = from_start(problem, context);
        add_piece(report, std::move(again.report));
        return std::move(again.best.front());
    }

    static std::optional<CompleteState> finished(const SearchProblem &problem,
                                                 SearchContext &context, const State &state,
                                                 SearchReport &report) {
        CompleteState now =
            staged(problem, context, state, report)
                .value_or(CompleteState{std::make_shared<const Dag>(problem.space.dag()), state,
                                        problem.space.freedom()});
        const SearchSpace space = space_of(problem, *now.dag, now.freedom);
        CompleteState other = reordered(problem, space, context, now, report);
        const bool is_same = other.dag == now.dag;
        now = refined(problem, space, context, std::move(now), report);
        // What steps are worth depends on the order: a scan along the innermost dimension loads
        // ahead.
        if (!is_same) {
            const SearchSpace other_space = space_of(problem, *other.dag, other.freedom);
            other = refined(problem, other_space, context, std::move(other), report);
            if (other.state.cost < now.state.cost) {
                return if_cheaper(sharing(problem, other_space, context, std::move(other), report),
                                  state);
            }
        }
        return if_cheaper(sharing(problem, space, context, std::move(now), report), state);
    }

    static SearchResult from_draft(const SearchProblem &problem, SearchContext &context) {
        SearchResult draft = drafted(problem, context);
        SearchResult result =
            beam_search(problem.space, *problem.models.model, context, &draft.best.front().nest);
        SearchReport &report = result.report;
        SearchPart &part = draft.report.parts.front();
        part.name = "draft";
        part.cost_after = report.draft_cost;  // by the model of the search
        report.times.draft = part.seconds;
        report.parts.insert(report.parts.begin(), std::move(part));
        return result;
    }

    static void put_first(std::optional<State> state, SearchResult &result) {
        if (state) result.best.insert(result.best.begin(), *std::move(state));
    }

    static CompleteState refined(const SearchProblem &problem, const SearchSpace &space,
                                 SearchContext &context, CompleteState now, SearchReport &report) {
        for (const Refinement &refinement : kRefinements) {
            if (!context.options.decides(refinement.kind)) continue;
            now.state = refinement.refined(space, *problem.models.model, context,
                                           std::move(now.state), report);
        }
        return now;
    }

    static CompleteState sharing(const SearchProblem &problem, const SearchSpace &space,
                                 SearchContext &context, CompleteState now, SearchReport &report) {
        if (context.options.decides(decision_kind::compute_with)) {
            now.state =
                share_launches(space, *problem.models.model, context, std::move(now.state), report);
        }
        return now;
    }

    static std::optional<CompleteState> if_cheaper(CompleteState now, const State &before) {
        return now.state.cost < before.cost ? std::optional(std::move(now)) : std::nullopt;
    }

    // Without fusion there is nowhere to stage anything.
    static std::optional<CompleteState> staged(const SearchProblem &problem, SearchContext &context,
                                               const State &state, SearchReport &report) {
        const SearchSpace &space = problem.space;
        if (space.freedom() != Freedom::full) return std::nullopt;
        auto staged = stage_inputs(space, *problem.models.model, context, state, report);
        if (!staged) return std::nullopt;
        return CompleteState{std::make_shared<const Dag>(std::move(staged->dag)),
                             std::move(staged->state), space.freedom()};
    }

    // Where a pipeline has many stages, to list their tilings takes as long as to choose among
    // them.
    static SearchSpace space_of(const SearchProblem &problem, const Dag &dag, Freedom freedom) {
        return {dag, problem.space.gpu(), problem.space.rules(), freedom};
    }

    static CompleteState reordered(const SearchProblem &problem, const SearchSpace &space,
                                   SearchContext &context, CompleteState now,
                                   SearchReport &report) {
        auto other = reorder_storage(space, *problem.models.model, context, now.state, report);
        if (!other) return now;
        return {std::move(other->dag), std::move(other->state), now.freedom};
    }

    static SearchResult from_start(const SearchProblem &problem, SearchContext &context) {
        SearchOptions options = context.options;
        options.limits.num_passes = std::min(options.limits.num_passes, kPassesFromAStart);
        SearchContext own(std::move(options), context.clock, context.threads);
        SearchResult result = beam_search(problem.space, *problem.models.model, own, problem.start);
        context.clock = own.clock;
        return result;
    }

    static SearchResult drafted(const SearchProblem &problem, SearchContext &context) {
        const bool fuses = problem.space.freedom() == Freedom::full;
        return greedy_grouping(problem.space, problem.models.draft(), context,
                               fuses ? Fusion::nested : Fusion::none);
    }
};

}  // namespace

std::shared_ptr<const SearchStrategy> make_beam() {
    return std::make_shared<const Beam>();
}

}  // namespace autoschedule_gpu
