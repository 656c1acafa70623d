#include "scheduler/search/plain.h"
#include "scheduler/strategies/shipped.h"

namespace autoschedule_gpu {

namespace {

class Host final : public SearchStrategy {
public:
    const StrategyInfo &info() const override {
        static constexpr StrategyInfo kInfo{.name = "host", .pace = Pace::none};
        return kInfo;
    }

    SearchResult search(const SearchProblem &problem, SearchContext &) const override {
        return {{host_state(problem.space)}, {}};
    }
};

}  // namespace

std::shared_ptr<const SearchStrategy> make_host() {
    return std::make_shared<const Host>();
}

}  // namespace autoschedule_gpu
