#include "scheduler/strategies/compiled_cost.h"

#include <numeric>
#include <vector>

#include "scheduler/features/feature_extractor.h"
#include "scheduler/model/instruction_count.h"

namespace autoschedule_gpu {

double compiled_cost(const CompleteState &complete, std::span<const RegisterUse> compiled,
                     const GpuModel &gpu, const CostModel &model) {
    const std::vector<KernelPtr> &kernels = complete.state.nest.kernels;
    FeatureExtractor extractor(*complete.dag, gpu);
    std::vector<FeatureTable> tables;
    for (size_t k = 0; k < kernels.size(); ++k) {
        if (k >= compiled.size()) {
            tables.push_back(extractor.extract(*kernels[k]));
            continue;
        }
        count_spills_as_executed(tables.emplace_back(extractor.extract(*kernels[k], compiled[k])));
    }
    std::vector<double> costs(tables.size());
    model.estimate(tables, costs);
    return std::accumulate(costs.begin(), costs.end(), 0.0);
}

}  // namespace autoschedule_gpu
