// The costs that a search goes by: a model's, remembered unless that is switched off. What is asked
// for is the search's effort.
#pragma once

#include "scheduler/search/kernel_costs.h"
#include "scheduler/search/memo.h"
#include "scheduler/search/options.h"
#include "scheduler/search/report.h"
#include "scheduler/search/search_clock.h"
#include "scheduler/space/space.h"

namespace autoschedule_gpu {

class SearchCosts final : public KernelCosts {
public:
    // All must outlive this object.
    SearchCosts(const SearchSpace &space, const CostModel &model, ThreadPool &pool,
                SearchClock &clock, Switch memo, size_t memo_bytes);
    // For another thread, which counts its own effort.
    SearchCosts(const SearchCosts &other, SearchClock &clock);

    void compute(std::span<const KernelPtr> kernels, std::span<double> costs) override;

    // Adds what was asked of the model and of the memo since this was last done.
    void add_counts(SearchReport &report);

private:
    struct Counts {
        uint64_t asked = 0, evaluated = 0, hits = 0, evicted = 0;
    };
    Counts counts() const;

    ModelCosts model_;
    MemoisedCosts memo_;
    SearchClock &clock_;
    const bool remembers_;
    Counts told_;
};

}  // namespace autoschedule_gpu
