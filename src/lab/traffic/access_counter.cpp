#include "lab/traffic/access_counter.h"

#include <algorithm>

#include "core/support/hash.h"

namespace autoschedule_gpu {

using lowered::BufferId;

ActiveThreads all_threads(int64_t count) {
    return {std::vector<uint8_t>(static_cast<size_t>(count), 1), count};
}

ActiveThreads where(const ActiveThreads &active, const Value &condition, bool holds) {
    ActiveThreads result = active;
    result.count = 0;
    for (size_t t = 0; t < result.flags.size(); t++) {
        const bool is = condition.integers[condition.uniform ? 0 : t] != 0;
        result.flags[t] &= is == holds ? 1 : 0;
        result.count += result.flags[t];
    }
    return result;
}

AccessCounter::AccessCounter(const lowered::Code &code, const MemoryUnits &units,
                             FootprintMode mode)
    : code_(code), units_(units), mode_(mode) {}

void AccessCounter::begin_launch(double weight) {
    footprints_.clear();
    launch_weight_ = weight;
    scouting_ = false;
}

void AccessCounter::end_launch() {
    for (const auto &[key, footprint] : footprints_) {
        const auto &[buffer, direction] = key;
        Sums &sums = direction == Direction::load ? loads_ : stores_;
        sums.footprint_bytes += launch_weight_ * footprint.elements() *
                                static_cast<double>(code_.buffer(buffer).element_bytes);
    }
    footprints_.clear();
}

void AccessCounter::barrier() {
    for (size_t b = 0; b < code_.buffers.size(); b++) {
        if (code_.buffers[b].memory == MemoryKind::shared) kept_.forget(BufferId(b));
    }
}

void AccessCounter::global(const Access &access, const BufferShape &shape,
                           const ActiveThreads &active, double weight) {
    if (!scouting_ && !happens(access, active)) return;
    const auto key = std::make_pair(access.buffer, access.direction);
    Footprint &footprint = footprints_.try_emplace(key, mode_).first->second;
    footprint.include(shape, elements(access, active));
    if (scouting_) return;
    Sums &sums = access.direction == Direction::load ? loads_ : stores_;
    double asked_bytes = 0;
    for_each_warp(access, active, [&](const WarpLanes &lanes) {
        asked_bytes +=
            static_cast<double>(lanes.bytes_each) * static_cast<double>(lanes.first_bytes.size());
        sums.sectors += weight * static_cast<double>(touched_sectors(lanes, units_));
        active_lanes_ += weight * static_cast<double>(lanes.first_bytes.size());
        warp_lanes_ += weight * static_cast<double>(units_.warp_threads);
    });
    sums.access_bytes += weight * asked_bytes;
    const auto bytes = static_cast<double>(code_.buffer(access.buffer).element_bytes);
    footprint.ask(asked_bytes / bytes * weight / launch_weight_);
}

void AccessCounter::shared(const Access &access, const ActiveThreads &active, double weight) {
    if (scouting_ || !happens(access, active)) return;
    for_each_warp(access, active, [&](const WarpLanes &lanes) {
        shared_bytes_ += weight * static_cast<double>(lanes.bytes_each) *
                         static_cast<double>(lanes.first_bytes.size());
        wavefronts_ += weight * static_cast<double>(wavefronts(lanes, units_));
        active_lanes_ += weight * static_cast<double>(lanes.first_bytes.size());
        warp_lanes_ += weight * static_cast<double>(units_.warp_threads);
    });
}

void AccessCounter::local(const Access &access, const ActiveThreads &active, double weight) {
    if (scouting_ || active.count == 0) return;
    LocalArray &array = local_arrays_[access.buffer];
    const int64_t bytes = code_.buffer(access.buffer).element_bytes * access.lanes;
    array.access_bytes += weight * static_cast<double>(active.count) * static_cast<double>(bytes);
    if (array.on_stack) return;
    const auto threads = static_cast<int64_t>(active.flags.size());
    std::vector<int64_t> &indices = local_indices_[access.site];
    for (int64_t lane = 0; lane < access.lanes; lane++) {
        for (int64_t t = 0; t < threads; t++) {
            if (active.flags[static_cast<size_t>(t)] == 0) continue;
            const int64_t index = integer_at(*access.index, lane, t, threads);
            if (static_cast<int64_t>(indices.size()) == lane) indices.push_back(index);
            array.on_stack |= indices[static_cast<size_t>(lane)] != index;
        }
    }
    work_ += static_cast<double>(threads * access.lanes);
}

void AccessCounter::allocate_local(BufferId buffer, int64_t bytes) {
    int64_t &most = local_arrays_[buffer].bytes;
    most = std::max(most, bytes);
}

void AccessCounter::report(KernelTraffic &traffic) const {
    const auto sector = static_cast<double>(units_.sector_bytes);
    traffic.footprint_load_bytes = loads_.footprint_bytes;
    traffic.footprint_store_bytes = stores_.footprint_bytes;
    traffic.access_load_bytes = loads_.access_bytes;
    traffic.access_store_bytes = stores_.access_bytes;
    traffic.transaction_load_bytes = loads_.sectors * sector;
    traffic.transaction_store_bytes = stores_.sectors * sector;
    traffic.shared_access_bytes = shared_bytes_;
    traffic.shared_wavefronts = wavefronts_;
    for (const auto &[buffer, array] : local_arrays_) {
        traffic.stack_bytes += array.on_stack ? array.bytes : 0;
        traffic.stack_access_bytes += array.on_stack ? array.access_bytes : 0;
    }
    traffic.memory_instructions = active_lanes_;
    traffic.active_lane_share = warp_lanes_ > 0 ? active_lanes_ / warp_lanes_ : 0;
}

bool AccessCounter::happens(const Access &access, const ActiveThreads &active) {
    work_ += static_cast<double>(active.flags.size()) * static_cast<double>(access.lanes);
    if (active.count == 0) return false;
    if (access.atomic) return true;
    const AddressKey key = key_of(access, active);
    return access.direction == Direction::load ? kept_.load(access.site, access.buffer, key)
                                               : kept_.store(access.site, access.buffer, key);
}

AddressKey AccessCounter::key_of(const Access &access, const ActiveThreads &active) const {
    const int64_t threads = static_cast<int64_t>(active.flags.size());
    AddressKey key;
    bool found = false;
    uint64_t shape =
        mix64(static_cast<uint64_t>(access.lanes * 2 + (access.index->uniform ? 1 : 0)));
    for (int64_t lane = 0; lane < access.lanes; lane++) {
        for (int64_t t = 0; t < threads; t++) {
            if (!takes_part(access, lane, t, active)) {
                shape = shape * 0x9e3779b97f4a7c15ULL + 1;
                continue;
            }
            const int64_t element = integer_at(*access.index, lane, t, threads);
            if (!std::exchange(found, true)) key.base = element;
            shape = (shape ^ static_cast<uint64_t>(element - key.base)) * 0x9e3779b97f4a7c15ULL;
            shape ^= shape >> 29;
        }
    }
    key.shape = shape;
    return key;
}

bool AccessCounter::takes_part(const Access &access, int64_t lane, int64_t thread,
                               const ActiveThreads &active) const {
    if (active.flags[static_cast<size_t>(thread)] == 0) return false;
    const auto threads = static_cast<int64_t>(active.flags.size());
    return access.predicate == nullptr || integer_at(*access.predicate, lane, thread, threads) != 0;
}

template <typename F>
void AccessCounter::for_each_warp(const Access &access, const ActiveThreads &active, F f) {
    const int64_t element_bytes = code_.buffer(access.buffer).element_bytes;
    const auto threads = static_cast<int64_t>(active.flags.size());
    std::vector<int64_t> first_bytes;
    for (int64_t lane = 0; lane < access.lanes; lane += access.elements_per_instruction) {
        const int64_t elements = std::min(access.elements_per_instruction, access.lanes - lane);
        for (int64_t begin = 0; begin < threads; begin += units_.warp_threads) {
            first_bytes.clear();
            const int64_t end = std::min(threads, begin + units_.warp_threads);
            for (int64_t t = begin; t < end; t++) {
                if (!takes_part(access, lane, t, active)) continue;
                first_bytes.push_back(integer_at(*access.index, lane, t, threads) * element_bytes);
            }
            if (!first_bytes.empty()) f(WarpLanes{first_bytes, elements * element_bytes});
        }
    }
}

std::vector<int64_t> AccessCounter::elements(const Access &access,
                                             const ActiveThreads &active) const {
    const auto threads = static_cast<int64_t>(active.flags.size());
    // If all threads access the same address, one stands for all, unless a predicate tells them
    // apart.
    const bool one = access.index->uniform && access.predicate == nullptr;
    std::vector<int64_t> flat;
    flat.reserve(static_cast<size_t>(access.lanes * (one ? 1 : threads)));
    for (int64_t lane = 0; lane < access.lanes; lane++) {
        if (one) flat.push_back(access.index->integers[static_cast<size_t>(lane)]);
        for (int64_t t = 0; t < threads && !one; t++) {
            if (!takes_part(access, lane, t, active)) continue;
            flat.push_back(integer_at(*access.index, lane, t, threads));
        }
    }
    return flat;
}

}  // namespace autoschedule_gpu
