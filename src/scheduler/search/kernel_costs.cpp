#include "scheduler/search/kernel_costs.h"

#include <numeric>

namespace autoschedule_gpu {

ModelCosts::ModelCosts(const Dag &dag, const GpuModel &gpu, const CostModel &model,
                       ThreadPool &pool)
    : dag_(dag), gpu_(gpu), model_(model), pool_(pool) {
    for (int i = 0; i < pool.threads(); ++i) extractors_.emplace_back(dag, gpu);
}

ModelCosts::ModelCosts(const ModelCosts &other, ThreadPool &pool)
    : ModelCosts(other.dag_, other.gpu_, other.model_, pool) {}

void ModelCosts::compute(std::span<const KernelPtr> kernels, std::span<double> costs) {
    evaluated_ += kernels.size();
    const size_t chunks = extractors_.size();
    pool_.for_each(chunks, [&](size_t chunk) {
        const size_t begin = kernels.size() * chunk / chunks;
        const size_t end = kernels.size() * (chunk + 1) / chunks;
        std::vector<FeatureTable> tables;
        tables.reserve(end - begin);
        for (size_t i = begin; i < end; ++i) {
            tables.push_back(extractors_[chunk].extract(*kernels[i]));
        }
        model_.estimate(tables, costs.subspan(begin, end - begin));
    });
}

double total_cost(KernelCosts &costs, std::span<const KernelPtr> kernels) {
    std::vector<double> each(kernels.size());
    costs.compute(kernels, each);
    return std::accumulate(each.begin(), each.end(), 0.0);
}

State materialise(const Dag &dag, KernelCosts &costs, State parent, const Successor &successor) {
    std::vector<KernelPtr> kernels;
    for (const KernelChange &change : successor.changes) kernels.push_back(change.kernel);
    std::vector<double> values(kernels.size());
    costs.compute(kernels, values);
    return materialise(dag, std::move(parent), successor, values);
}

State with_costs(KernelCosts &costs, State state) {
    state.kernel_costs.resize(state.nest.kernels.size());
    costs.compute(state.nest.kernels, state.kernel_costs);
    for (double cost : state.kernel_costs) state.cost += cost;
    return state;
}

}  // namespace autoschedule_gpu
