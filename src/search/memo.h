// Costs that are remembered by the kernel's hash (Anderson 2021 §3.3: features are memoised per
// kernel). Ours do not depend on what other kernels do, so the cost itself is kept, not the
// features. Changes no result.
//
// Memory is bounded: entries live in two generations. When the young one is full, the old one is
// dropped and the young one becomes old; an old entry that is asked for is young again.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "search/kernel_costs.h"

namespace autoschedule_gpu {

class MemoisedCosts final : public KernelCosts {
public:
    // `inner` must outlive this object. `most_bytes`: of the entries, roughly.
    MemoisedCosts(KernelCosts &inner, size_t most_bytes);

    void compute(std::span<const KernelPtr> kernels, std::span<double> costs) override;

    uint64_t asked() const { return asked_; }
    uint64_t hits() const { return hits_; }
    uint64_t evicted() const { return evicted_; }

private:
    const double *find(uint64_t hash);
    void insert(uint64_t hash, double cost);

    KernelCosts &inner_;
    size_t most_young_;
    std::unordered_map<uint64_t, double> young_, old_;
    uint64_t asked_ = 0, hits_ = 0, evicted_ = 0;
};

}  // namespace autoschedule_gpu
