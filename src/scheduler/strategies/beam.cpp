#include <algorithm>

#include "scheduler/search/beam_search.h"
#include "scheduler/search/choose_steps.h"
#include "scheduler/search/greedy_grouping.h"
#include "scheduler/search/stage_inputs.h"
#include "scheduler/strategies/shipped.h"

namespace autoschedule_gpu {

namespace {

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

    // With staged inputs, and with steps of reductions written out, where that pays.
    std::optional<CompleteState> finish(const SearchProblem &problem, SearchContext &context,
                                        const State &state, SearchReport &report) const override {
        const SearchSpace &space = problem.space;
        const CostModel &model = *problem.models.model;
        std::optional<CompleteState> finished = staged(problem, context, state, report);
        if (!context.options.steps) return finished;
        if (finished) {
            const SearchSpace wider(*finished->dag, space.gpu(), space.rules(), space.freedom());
            finished->state = choose_steps(wider, model, context, finished->state, report);
            return finished;
        }
        State stepped = choose_steps(space, model, context, state, report);
        if (stepped.id == state.id) return std::nullopt;
        return CompleteState{std::make_shared<const Dag>(space.dag()), std::move(stepped),
                             space.freedom()};
    }

private:
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
