#include "search/kernel_costs.h"

#include <algorithm>

namespace autoschedule_gpu {

KernelCosts::KernelCosts(const Dag &dag, const GpuModel &gpu, const CostModel &model,
                         ThreadPool &pool)
    : model_(model), pool_(pool) {
    for (int i = 0; i < pool.threads(); ++i) extractors_.emplace_back(dag, gpu);
}

void KernelCosts::compute(std::span<const KernelPtr> kernels) {
    asked_ += kernels.size();
    std::vector<const Kernel *> missing;
    for (const KernelPtr &kernel : kernels) {
        // Reserves the place, so that a kernel met twice is evaluated once.
        if (costs_.try_emplace(kernel->hash, 0.0).second) missing.push_back(kernel.get());
    }
    evaluated_ += missing.size();
    std::vector<double> costs(missing.size());
    const size_t chunks = extractors_.size();
    pool_.for_each(chunks, [&](size_t chunk) {
        const size_t begin = missing.size() * chunk / chunks;
        const size_t end = missing.size() * (chunk + 1) / chunks;
        std::vector<FeatureTable> tables;
        for (size_t i = begin; i < end; ++i) {
            tables.push_back(extractors_[chunk].extract(*missing[i]));
        }
        model_.estimate(tables, std::span(costs).subspan(begin, end - begin));
    });
    for (size_t i = 0; i < missing.size(); ++i) costs_[missing[i]->hash] = costs[i];
}

}  // namespace autoschedule_gpu
