#include "scheduler/search/plain.h"

#include "scheduler/strategies/shipped.h"

namespace autoschedule_gpu {

namespace {

class Plain final : public SearchStrategy {
public:
    const StrategyInfo &info() const override {
        static constexpr StrategyInfo kInfo{
            .name = "plain",
            .pace = Pace::none,
            .help =
                "no search; every stage gets a kernel of its own and nothing is inlined, as a "
                "baseline."};
        return kInfo;
    }

    SearchResult search(const SearchProblem &problem, SearchContext &) const override {
        return {{plain_state(problem.space, *problem.models.model)}, {}};
    }
};

}  // namespace

std::shared_ptr<const SearchStrategy> make_plain() {
    return std::make_shared<const Plain>();
}

}  // namespace autoschedule_gpu
