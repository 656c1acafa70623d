#include "scheduler/search/structure_book.h"

#include <algorithm>
#include <limits>

#include "core/support/hash.h"

namespace autoschedule_gpu {

namespace {

uint64_t key(size_t step, uint64_t structure) {
    return Hasher(structure).add(step).value();
}

}  // namespace

StructureBook::Entry StructureBook::enter(Entry parent, size_t step, uint64_t structure) {
    entries_.push_back({parent, key(step, structure)});
    led_to_.try_emplace(entries_.back().key, std::numeric_limits<double>::infinity());
    return static_cast<Entry>(entries_.size() - 1);
}

void StructureBook::finish(Entry last, double cost) {
    if (best_ == 0 || cost < best_) best_ = cost;
    for (Entry at = last; at != kStart; at = entries_[static_cast<size_t>(at)].parent) {
        double &known = led_to_.at(entries_[static_cast<size_t>(at)].key);
        known = std::min(known, cost);
    }
}

double StructureBook::penalty(size_t step, uint64_t structure) const {
    const auto found = led_to_.find(key(step, structure));
    if (found == led_to_.end() || best_ == 0) return 1;
    return std::min(kMostPenalty, found->second / best_);
}

}  // namespace autoschedule_gpu
