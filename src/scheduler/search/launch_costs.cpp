#include "scheduler/search/launch_costs.h"

#include <vector>

#include "scheduler/nest/launch.h"

namespace autoschedule_gpu {

double cost_of_launch(FeatureExtractor &extractor, const CostModel &model,
                      std::span<const KernelPtr> kernels) {
    const FeatureTable table = extractor.extract(kernels);
    double cost = 0;
    model.estimate({&table, 1}, {&cost, 1});
    return cost;
}

State with_costs_of_launches(const Dag &dag, const GpuModel &gpu, const CostModel &model,
                             State state) {
    FeatureExtractor extractor(dag, gpu);
    for (const std::vector<size_t> &launch : launches(state.nest)) {
        if (launch.size() == 1) continue;
        std::vector<KernelPtr> kernels;
        for (const size_t k : launch) {
            kernels.push_back(state.nest.kernels[k]);
            state.kernel_costs[k] = 0;
        }
        state.kernel_costs[launch.front()] = cost_of_launch(extractor, model, kernels);
    }
    state.cost = 0;
    for (const double cost : state.kernel_costs) state.cost += cost;
    return state;
}

}  // namespace autoschedule_gpu
