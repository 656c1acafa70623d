#include "scheduler/search/search_costs.h"

namespace autoschedule_gpu {

SearchCosts::SearchCosts(const SearchSpace &space, const CostModel &model, ThreadPool &pool,
                         SearchClock &clock, Switch memo, size_t memo_bytes)
    : model_(space.dag(), space.gpu(), model, pool),
      memo_(model_, memo_bytes),
      clock_(clock),
      remembers_(memo != Switch::off) {}

SearchCosts::SearchCosts(const SearchCosts &other, SearchClock &clock)
    : model_(other.model_),
      memo_(model_, other.memo_),
      clock_(clock),
      remembers_(other.remembers_) {}

void SearchCosts::compute(std::span<const KernelPtr> kernels, std::span<double> costs) {
    for (const KernelPtr &kernel : kernels) clock_.spend(count_stages(*kernel));
    if (remembers_) {
        memo_.compute(kernels, costs);
    } else {
        model_.compute(kernels, costs);
    }
}

void SearchCosts::add_counts(SearchReport &report) {
    const Counts now = counts();
    report.kernels_evaluated += now.evaluated - told_.evaluated;
    report.kernels_asked += now.asked - told_.asked;
    report.memo_hits += now.hits - told_.hits;
    report.memo_evicted += now.evicted - told_.evicted;
    told_ = now;
}

SearchCosts::Counts SearchCosts::counts() const {
    return {.asked = remembers_ ? memo_.asked() : model_.evaluated(),
            .evaluated = model_.evaluated(),
            .hits = memo_.hits(),
            .evicted = memo_.evicted()};
}

}  // namespace autoschedule_gpu
