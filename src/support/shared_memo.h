// Values of a pure function, remembered by the hash of its arguments for all threads, in bounded
// memory (recent_map.h). Threads that ask the same at once may both compute it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>

#include "support/recent_map.h"

namespace autoschedule_gpu {

template <typename Value>
class SharedMemo {
public:
    explicit SharedMemo(size_t most_entries) {
        for (Shard &shard : shards_) shard.known = RecentMap<Value>(most_entries / shards_.size());
    }

    template <typename Compute>
    Value get(uint64_t key, const Compute &compute) {
        Shard &shard = shards_[(key >> 32) % shards_.size()];
        {
            const std::lock_guard lock(shard.mutex);
            if (const Value *known = shard.known.find(key)) return *known;
        }
        Value value = compute();
        const std::lock_guard lock(shard.mutex);
        return shard.known.insert(key, std::move(value));
    }

private:
    struct Shard {
        std::mutex mutex;
        RecentMap<Value> known{0};
    };
    std::array<Shard, 16> shards_;
};

}  // namespace autoschedule_gpu
