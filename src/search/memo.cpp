#include "search/memo.h"

#include <algorithm>

namespace autoschedule_gpu {

namespace {

// Of a node of the map, with its share of the table.
constexpr size_t kBytesPerEntry = 48;

}  // namespace

MemoisedCosts::MemoisedCosts(KernelCosts &inner, size_t most_bytes)
    : inner_(inner), most_young_(std::max<size_t>(1, most_bytes / kBytesPerEntry / 2)) {}

const double *MemoisedCosts::find(uint64_t hash) {
    if (const auto found = young_.find(hash); found != young_.end()) return &found->second;
    const auto found = old_.find(hash);
    if (found == old_.end()) return nullptr;
    const double cost = found->second;
    old_.erase(found);
    insert(hash, cost);
    return &young_.find(hash)->second;
}

void MemoisedCosts::insert(uint64_t hash, double cost) {
    if (young_.size() >= most_young_) {
        evicted_ += old_.size();
        old_ = std::exchange(young_, {});
    }
    young_.emplace(hash, cost);
}

void MemoisedCosts::compute(std::span<const KernelPtr> kernels, std::span<double> costs) {
    asked_ += kernels.size();
    std::vector<KernelPtr> missing;
    std::unordered_map<uint64_t, size_t> place;  // of the missing ones: a kernel may be met twice
    for (size_t i = 0; i < kernels.size(); ++i) {
        const uint64_t hash = kernels[i]->hash;
        if (const double *known = find(hash)) {
            costs[i] = *known;
            ++hits_;
        } else if (place.try_emplace(hash, missing.size()).second) {
            missing.push_back(kernels[i]);
        } else {
            ++hits_;
        }
    }
    std::vector<double> found(missing.size());
    inner_.compute(missing, found);
    if (missing.empty()) return;
    for (size_t i = 0; i < kernels.size(); ++i) {
        const auto at = place.find(kernels[i]->hash);
        if (at != place.end()) costs[i] = found[at->second];
    }
    for (size_t i = 0; i < missing.size(); ++i) insert(missing[i]->hash, found[i]);
}

}  // namespace autoschedule_gpu
