// Costs that are remembered by the kernel's hash (Anderson 2021 §3.3: features are memoised per
// kernel). Ours do not depend on what other kernels do, so the cost itself is kept, not the
// features. Changes no result. Memory is bounded.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "core/support/recent_map.h"
#include "scheduler/search/kernel_costs.h"

namespace autoschedule_gpu {

class MemoisedCosts final : public KernelCosts {
public:
    // `inner` must outlive this object. `most_bytes`: of the entries, roughly.
    MemoisedCosts(KernelCosts &inner, size_t most_bytes);
    // For another thread: what one finds, both know.
    MemoisedCosts(KernelCosts &inner, const MemoisedCosts &other)
        : inner_(inner), known_(other.known_) {}

    void compute(std::span<const KernelPtr> kernels, std::span<double> costs) override;

    uint64_t asked() const { return asked_; }
    uint64_t hits() const { return hits_; }
    uint64_t evicted() const { return evicted_; }

private:
    struct Known {
        std::mutex mutex;
        RecentMap<double> costs;
    };

    KernelCosts &inner_;
    std::shared_ptr<Known> known_;
    uint64_t asked_ = 0, hits_ = 0, evicted_ = 0;
};

}  // namespace autoschedule_gpu
