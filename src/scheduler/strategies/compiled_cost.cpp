#include "scheduler/strategies/compiled_cost.h"

#include <numeric>
#include <vector>

#include "scheduler/features/feature_extractor.h"
#include "scheduler/model/instruction_count.h"
#include "scheduler/nest/launch.h"

namespace autoschedule_gpu {

double compiled_cost(const CompleteState &complete, std::span<const RegisterUse> compiled,
                     const GpuModel &gpu, const CostModel &model) {
    const std::vector<KernelPtr> &kernels = complete.state.nest.kernels;
    FeatureExtractor extractor(*complete.dag, gpu);
    std::vector<FeatureTable> tables;
    for (const std::vector<size_t> &launch : launches(complete.state.nest)) {
        std::vector<KernelPtr> in_it;
        for (const size_t k : launch) in_it.push_back(kernels[k]);
        const size_t first = launch.front();
        if (first >= compiled.size()) {
            tables.push_back(extractor.extract(in_it));
            continue;
        }
        count_spills_as_executed(tables.emplace_back(extractor.extract(in_it, &compiled[first])));
    }
    std::vector<double> costs(tables.size());
    model.estimate(tables, costs);
    return std::accumulate(costs.begin(), costs.end(), 0.0);
}

}  // namespace autoschedule_gpu
