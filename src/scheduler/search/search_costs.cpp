#include "scheduler/search/search_costs.h"

namespace autoschedule_gpu {

SearchCosts::SearchCosts(const SearchSpace &space, const CostModel &model, ThreadPool &pool,
                         SearchClock &clock, Switch memo, size_t memo_bytes)
    : model_(space.dag(), space.gpu(), model, pool),
      memo_(model_, memo_bytes),
      clock_(clock),
      remembers_(memo != Switch::off) {}

void SearchCosts::compute(std::span<const KernelPtr> kernels, std::span<double> costs) {
    for (const KernelPtr &kernel : kernels) clock_.spend(count_stages(*kernel));
    if (remembers_) {
        memo_.compute(kernels, costs);
    } else {
        model_.compute(kernels, costs);
    }
}

void SearchCosts::add_counts(SearchReport &report) const {
    report.kernels_evaluated += model_.evaluated();
    report.kernels_asked += remembers_ ? memo_.asked() : model_.evaluated();
    report.memo_hits += memo_.hits();
    report.memo_evicted += memo_.evicted();
}

}  // namespace autoschedule_gpu
