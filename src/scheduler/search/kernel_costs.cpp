#include "scheduler/search/kernel_costs.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace autoschedule_gpu {

FeatureExtractor FeatureExtractors::take() {
    std::unique_lock lock(mutex_);
    if (idle_.empty()) {
        lock.unlock();
        return {dag_, gpu_};
    }
    FeatureExtractor extractor = std::move(idle_.back());
    idle_.pop_back();
    return extractor;
}

void FeatureExtractors::give_back(FeatureExtractor extractor) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(extractor));
}

ModelCosts::ModelCosts(const Dag &dag, const GpuModel &gpu, const CostModel &model,
                       ThreadPool &pool)
    : model_(model), pool_(pool), extractors_(std::make_shared<FeatureExtractors>(dag, gpu)) {}

ModelCosts::ModelCosts(const ModelCosts &other)
    : KernelCosts(), model_(other.model_), pool_(other.pool_), extractors_(other.extractors_) {}

void ModelCosts::compute(std::span<const KernelPtr> kernels, std::span<double> costs) {
    evaluated_ += kernels.size();
    // Some kernels take ten times as long as others; a model is quickest with many at once.
    constexpr size_t kLeast = 4, kMost = 64, kTurns = 8;
    const size_t turns = kTurns * static_cast<size_t>(pool_.threads());
    const size_t at_once = std::clamp(kernels.size() / turns, kLeast, kMost);
    pool_.for_each((kernels.size() + at_once - 1) / at_once, [&](size_t chunk) {
        const size_t begin = at_once * chunk;
        const size_t end = std::min(kernels.size(), begin + at_once);
        FeatureExtractor extractor = extractors_->take();
        std::vector<FeatureTable> tables;
        tables.reserve(end - begin);
        for (size_t i = begin; i < end; ++i) tables.push_back(extractor.extract(*kernels[i]));
        extractors_->give_back(std::move(extractor));
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
