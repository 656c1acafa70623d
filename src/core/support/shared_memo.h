// Values of a pure function, remembered by the hash of its arguments for all threads, in bounded
// memory (recent_map.h). Threads that ask the same at once may both compute it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

#include "core/support/recent_map.h"

namespace autoschedule_gpu {

template <typename Value>
class SharedMemo {
public:
    explicit SharedMemo(size_t most_entries) {
        for (Shard &shard : shards_) shard.known = RecentMap<Value>(most_entries / shards_.size());
    }

    std::optional<Value> find(uint64_t key) {
        Shard &shard = shard_of(key);
        const std::lock_guard lock(shard.mutex);
        if (const Value *known = shard.known.find(key)) return *known;
        return std::nullopt;
    }

    void insert(uint64_t key, Value value) {
        Shard &shard = shard_of(key);
        const std::lock_guard lock(shard.mutex);
        shard.known.insert(key, std::move(value));
    }

private:
    // Each in cache lines of its own.
    struct alignas(64) Shard {
        std::mutex mutex;
        RecentMap<Value> known{0};
    };
    Shard &shard_of(uint64_t key) { return shards_[(key >> 32) % shards_.size()]; }

    std::array<Shard, 64> shards_;
};

}  // namespace autoschedule_gpu
