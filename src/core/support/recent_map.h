// A map from hashes to values with bounded memory: entries live in two generations. When the young
// one is full, the old one is dropped and the young one becomes old; an old entry that is asked for
// is young again. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace autoschedule_gpu {

template <typename Value>
class RecentMap {
public:
    // Of both generations together.
    explicit RecentMap(size_t most_entries) : most_young_(std::max<size_t>(1, most_entries / 2)) {}

    // Null if it is not known. Valid until the next call.
    const Value *find(uint64_t hash) {
        if (const auto found = young_.find(hash); found != young_.end()) return &found->second;
        const auto found = old_.find(hash);
        if (found == old_.end()) return nullptr;
        Value value = std::move(found->second);
        old_.erase(found);
        return &insert(hash, std::move(value));
    }

    const Value &insert(uint64_t hash, Value value) {
        if (young_.size() >= most_young_) {
            evicted_ += old_.size();
            old_ = std::exchange(young_, {});
        }
        return young_.insert_or_assign(hash, std::move(value)).first->second;
    }

    uint64_t evicted() const { return evicted_; }

private:
    size_t most_young_;
    std::unordered_map<uint64_t, Value> young_, old_;
    uint64_t evicted_ = 0;
};

}  // namespace autoschedule_gpu
