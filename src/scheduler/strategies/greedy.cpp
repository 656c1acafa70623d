#include "scheduler/search/greedy_grouping.h"
#include "scheduler/strategies/shipped.h"

namespace autoschedule_gpu {

namespace {

class Greedy final : public SearchStrategy {
public:
    const StrategyInfo &info() const override {
        static constexpr StrategyInfo kInfo{
            .name = "greedy_grouping",
            .pace = Pace::quick,
            .own_model = ModelKind::analytical,
            .help = "stages are merged into groups while that pays (Sioutas et al. 2020)."};
        return kInfo;
    }

    SearchResult search(const SearchProblem &problem, SearchContext &context) const override {
        return greedy_grouping(problem.space, problem.models.grouping(), context,
                               context.options.fusion);
    }
};

}  // namespace

std::shared_ptr<const SearchStrategy> make_greedy_grouping() {
    return std::make_shared<const Greedy>();
}

}  // namespace autoschedule_gpu
