// Costs of kernels, each computed once: a kernel costs the same in whatever nest it stands, so its
// cost is kept under its hash for the length of a search. Results are those of the model alone,
// with any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "features/feature_extractor.h"
#include "model/cost_model.h"
#include "support/parallel.h"

namespace autoschedule_gpu {

class KernelCosts {
public:
    // All must outlive this object.
    KernelCosts(const Dag &dag, const GpuModel &gpu, const CostModel &model, ThreadPool &pool);

    // Makes sure that every kernel has a cost; in parallel. Not thread-safe itself.
    void compute(std::span<const KernelPtr> kernels);

    // Nanoseconds. The kernel must have been given to `compute`.
    double operator[](const Kernel &kernel) const { return costs_.at(kernel.hash); }

    uint64_t asked() const { return asked_; }
    uint64_t evaluated() const { return evaluated_; }

private:
    const CostModel &model_;
    ThreadPool &pool_;
    std::vector<FeatureExtractor> extractors_;  // one per chunk of work
    std::unordered_map<uint64_t, double> costs_;
    uint64_t asked_ = 0, evaluated_ = 0;
};

}  // namespace autoschedule_gpu
