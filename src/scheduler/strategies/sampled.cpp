#include "scheduler/search/beam_search.h"
#include "scheduler/strategies/shipped.h"

namespace autoschedule_gpu {

namespace {

class Sampled final : public SearchStrategy {
public:
    const StrategyInfo &info() const override {
        static constexpr StrategyInfo kInfo{
            .name = "sampled",
            .pace = Pace::quick,
            .help =
                "beam's search without a draft, nothing of which is improved: what random "
                "schedules are drawn with (Anderson et al. 2021, section 6)."};
        return kInfo;
    }

    SearchResult search(const SearchProblem &problem, SearchContext &context) const override {
        SearchOptions options = context.options;
        options.refine = false;
        SearchContext own(std::move(options), context.clock, context.threads);
        SearchResult result = beam_search(problem.space, *problem.models.model, own);
        context.clock = own.clock;
        return result;
    }
};

}  // namespace

std::shared_ptr<const SearchStrategy> make_sampled() {
    return std::make_shared<const Sampled>();
}

}  // namespace autoschedule_gpu
