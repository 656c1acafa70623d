#include "scheduler/search/memo.h"

#include <unordered_map>

namespace autoschedule_gpu {

namespace {

// Of a node of the map, with its share of the table.
constexpr size_t kBytesPerEntry = 48;

}  // namespace

MemoisedCosts::MemoisedCosts(KernelCosts &inner, size_t most_bytes)
    : inner_(inner),
      known_(new Known{.mutex = {}, .costs = RecentMap<double>(most_bytes / kBytesPerEntry)}) {}

void MemoisedCosts::compute(std::span<const KernelPtr> kernels, std::span<double> costs) {
    asked_ += kernels.size();
    std::vector<KernelPtr> missing;
    std::unordered_map<uint64_t, size_t> place;  // of the missing ones: a kernel may be met twice
    std::unique_lock lock(known_->mutex);
    for (size_t i = 0; i < kernels.size(); ++i) {
        const uint64_t hash = kernels[i]->hash;
        if (const double *known = known_->costs.find(hash)) {
            costs[i] = *known;
            ++hits_;
        } else if (place.try_emplace(hash, missing.size()).second) {
            missing.push_back(kernels[i]);
        } else {
            ++hits_;
        }
    }
    lock.unlock();
    std::vector<double> found(missing.size());
    inner_.compute(missing, found);
    if (missing.empty()) return;
    for (size_t i = 0; i < kernels.size(); ++i) {
        const auto at = place.find(kernels[i]->hash);
        if (at != place.end()) costs[i] = found[at->second];
    }
    lock.lock();
    const uint64_t evicted_before = known_->costs.evicted();
    for (size_t i = 0; i < missing.size(); ++i) known_->costs.insert(missing[i]->hash, found[i]);
    evicted_ += known_->costs.evicted() - evicted_before;
}

}  // namespace autoschedule_gpu
