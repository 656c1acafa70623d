// What kernels cost, for the search: a batch of kernels in, a batch of costs out. A kernel costs
// the same in whatever nest it stands, so a state's cost is the sum over its kernels, and a move
// asks only for those that it changed (Anderson 2021 §3.3).
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/support/parallel.h"
#include "scheduler/features/feature_extractor.h"
#include "scheduler/model/cost_model.h"
#include "scheduler/space/state.h"

namespace autoschedule_gpu {

class KernelCosts {
public:
    virtual ~KernelCosts() = default;

    // Nanoseconds, one for each kernel, in their order. Not thread-safe: implementations use all
    // threads of their pool themselves.
    virtual void compute(std::span<const KernelPtr> kernels, std::span<double> costs) = 0;
};

// Extractors of one pipeline, as many as are at work at once. May be called from any thread.
class FeatureExtractors {
public:
    // Both must outlive it.
    FeatureExtractors(const Dag &dag, const GpuModel &gpu) : dag_(dag), gpu_(gpu) {}

    // To be given back.
    FeatureExtractor take();
    void give_back(FeatureExtractor extractor);

private:
    const Dag &dag_;
    const GpuModel &gpu_;
    std::mutex mutex_;
    std::vector<FeatureExtractor> idle_;
};

// By the model, each kernel anew. Results do not depend on the number of threads.
class ModelCosts final : public KernelCosts {
public:
    // All must outlive this object.
    ModelCosts(const Dag &dag, const GpuModel &gpu, const CostModel &model, ThreadPool &pool);

    // For another thread, which counts its own.
    explicit ModelCosts(const ModelCosts &other);

    void compute(std::span<const KernelPtr> kernels, std::span<double> costs) override;

    uint64_t evaluated() const { return evaluated_; }

private:
    const CostModel &model_;
    ThreadPool &pool_;
    // Of all copies, which other threads have.
    std::shared_ptr<FeatureExtractors> extractors_;
    uint64_t evaluated_ = 0;
};

// What they cost together.
double total_cost(KernelCosts &costs, std::span<const KernelPtr> kernels);

// The state after a move, at what its changed kernels cost.
State materialise(const Dag &dag, KernelCosts &costs, State parent, const Successor &successor);

// The state, complete, whose costs are open, at what its kernels cost.
State with_costs(KernelCosts &costs, State state);

}  // namespace autoschedule_gpu
