// Memory for the features of one kernel, used again for those of the next. It hands out arrays and
// region sets, which stay with whoever asked until `reset`; each is empty when it is handed out, so
// that nothing goes from one user to another. What the memo of accesses knows stays, and changes
// nothing. The extractor owns it. Not thread-safe.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/dag/dag.h"
#include "core/gpu/access_memo.h"
#include "scheduler/nest/regions.h"

namespace autoschedule_gpu {

class ExtractionScratch {
public:
    // Both must outlive this object.
    ExtractionScratch(const Dag &dag, const GpuModel &gpu) : dag_(dag), accesses_(gpu) {}

    // Takes everything back.
    void reset() {
        used_sets_ = 0;
        used_rooms_ = 0;
        used_bytes_ = kRoomBytes;
        large_.clear();
    }

    // Returns an empty set.
    RegionSet &regions() {
        if (used_sets_ == sets_.size()) sets_.emplace_back(dag_);
        RegionSet &set = sets_[used_sets_++];
        set.clear();
        return set;
    }

    // Returns an array of values as `T()` makes them. They are never destroyed.
    template <typename T>
    std::span<T> array(size_t size) {
        static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kAlignment);
        T *values = reinterpret_cast<T *>(take(size * sizeof(T)));
        std::uninitialized_value_construct_n(values, size);
        return {values, size};
    }

    AccessMemo &accesses() { return accesses_; }

private:
    static constexpr size_t kAlignment = alignof(double);
    // One room is enough for almost every kernel.
    static constexpr size_t kRoomBytes = size_t{1} << 15;
    using Room = std::unique_ptr<std::byte[]>;

    static Room room_of(size_t bytes) { return std::make_unique_for_overwrite<std::byte[]>(bytes); }

    std::byte *take(size_t bytes) {
        const size_t whole = (bytes + kAlignment - 1) / kAlignment * kAlignment;
        if (whole > kRoomBytes) return large_.emplace_back(room_of(whole)).get();
        if (used_bytes_ + whole > kRoomBytes) {
            if (used_rooms_ == rooms_.size()) rooms_.push_back(room_of(kRoomBytes));
            ++used_rooms_;
            used_bytes_ = 0;
        }
        return rooms_[used_rooms_ - 1].get() + std::exchange(used_bytes_, used_bytes_ + whole);
    }

    const Dag &dag_;
    AccessMemo accesses_;
    std::deque<RegionSet> sets_;  // the first of them are handed out
    size_t used_sets_ = 0;
    std::vector<Room> rooms_;  // the last of those that are used is being filled
    size_t used_rooms_ = 0;
    size_t used_bytes_ = kRoomBytes;  // of that one
    std::vector<Room> large_;         // an array each
};

}  // namespace autoschedule_gpu
