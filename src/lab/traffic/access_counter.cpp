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
    : code_(code), units_(units), mode_(mode) {
    for (size_t b = 0; b < code.buffers.size(); b++) {
        if (code.buffers[b].memory == MemoryKind::shared) shared_.insert(BufferId(b));
    }
}

void AccessCounter::begin_launch(double weight) {
    footprints_.clear();
    stored_.clear();
    changed_in_place_.clear();
    launch_weight_ = weight;
    scouting_ = false;
}

void AccessCounter::end_launch() {
    double resident_loads = 0;
    for (const auto &[key, footprint] : footprints_) {
        const auto &[buffer, direction] = key;
        const bool is_load = direction == Direction::load;
        Sums &sums = is_load ? loads_ : stores_;
        const lowered::Buffer &array = code_.buffer(buffer);
        const double bytes = footprint.elements() * static_cast<double>(array.element_bytes);
        const bool is_resident = !array.extents.empty() && bytes <= units_.resident_bytes;
        sums.footprint_bytes += launch_weight_ * bytes;
        if (is_load && is_read_back(buffer)) {
            sums.cached_bytes += launch_weight_ * bytes;
        } else if (is_resident && is_load) {
            resident_loads += bytes;
        } else if (is_resident) {
            sums.cached_bytes += launch_weight_ * bytes;
        }
    }
    // All that a kernel loads shares the room.
    loads_.cached_bytes += launch_weight_ * std::min(resident_loads, units_.filled_bytes);
    footprints_.clear();
}

bool AccessCounter::is_read_back(BufferId buffer) const {
    return stored_.contains(buffer) && !changed_in_place_.contains(buffer);
}

// The first and the last of the elements stand for all.
void AccessCounter::note_order(const Access &access, const std::vector<int64_t> &touched) {
    if (touched.empty()) return;
    std::set<int64_t> &loaded = order_.elements[access.buffer];
    if (access.direction == Direction::load) {
        loaded.insert({touched.front(), touched.back()});
        return;
    }
    stored_.insert(access.buffer);
    const bool in_place = loaded.contains(touched.front()) || loaded.contains(touched.back());
    if (in_place || access.atomic) changed_in_place_.insert(access.buffer);
}

void AccessCounter::barrier() {
    for (const BufferId buffer : shared_) kept_.forget(buffer);
    joined_.forget();
    begin_pass();
}

void AccessCounter::global(const Access &access, const BufferShape &shape,
                           const ActiveThreads &active, double weight) {
    if (!scouting_ &&
        (active.count == 0 || !happens(access, active, key_of(access, active), weight))) {
        return;
    }
    const auto key = std::make_pair(access.buffer, access.direction);
    Footprint &footprint = footprints_.try_emplace(key, mode_).first->second;
    const std::vector<int64_t> touched = elements(access, active);
    footprint.include(shape, touched);
    if (scouting_) return;
    note_order(access, touched);
    const bool loads = access.direction == Direction::load;
    LoadedByBlock *const by_block = loads ? &loaded_by_block_[access.buffer] : nullptr;
    if (loads) {
        by_block->shape = &shape;
        by_block->box.include(shape, touched);
    }
    Sums &sums = loads ? loads_ : stores_;
    double asked_bytes = 0;
    for_each_warp(access, active, weight, [&](const WarpLanes &lanes) {
        asked_bytes +=
            static_cast<double>(lanes.bytes_each) * static_cast<double>(lanes.first_bytes.size());
        const std::vector<int64_t> sectors = touched_sectors(lanes, units_);
        sums.sectors += weight * static_cast<double>(sectors.size());
        sums.wavefronts += weight * global_wavefronts(lanes, units_);
        sums.instructions += weight * static_cast<double>(lanes.first_bytes.size());
        if (access.atomic && !loads) atomic(lanes, sectors.size(), weight);
        if (!loads) return;
        for (const int64_t sector : sectors) {
            if (!by_block->sectors.insert(sector).second) continue;
            by_block->first_requests += weight;
            if (!std::exchange(order_.is_new_group, true)) new_load_groups_ += weight;
        }
    });
    sums.access_bytes += weight * asked_bytes;
    footprint.ask(asked_bytes / static_cast<double>(access.element_bytes) * weight /
                  launch_weight_);
}

void AccessCounter::atomic(const WarpLanes &lanes, size_t sectors, double weight) {
    const std::set<int64_t> elements(lanes.first_bytes.begin(), lanes.first_bytes.end());
    atomic_operations_ += weight * static_cast<double>(lanes.first_bytes.size());
    atomic_sectors_ += weight * static_cast<double>(sectors);
    atomic_bytes_ +=
        weight * static_cast<double>(lanes.bytes_each) * static_cast<double>(elements.size());
}

void AccessCounter::end_block(double weight) {
    for (const auto &[buffer, loaded] : loaded_by_block_) {
        if (whole_block_) {
            loads_.block_sectors += weight * static_cast<double>(loaded.sectors.size());
            continue;
        }
        // Loops that overlap ask for less than the first requests of their samples stand for, loops
        // of long strides for less than there is between the ends of what they ask for.
        const double in_box = loaded.box.sectors(*loaded.shape, code_.buffer(buffer).element_bytes,
                                                 units_.sector_bytes);
        loads_.block_sectors += std::min(weight * in_box, loaded.first_requests);
    }
    loaded_by_block_.clear();
}

void AccessCounter::shared(const Access &access, const ActiveThreads &active, double weight) {
    if (scouting_ || active.count == 0) return;
    const AddressKey key = key_of(access, active);
    if (!happens(access, active, key, weight)) return;
    if (access.lanes == 1 && !access.atomic) {
        shared_element(access, active, key, weight);
    } else {
        shared_instruction(access, active, weight);
    }
}

void AccessCounter::shared_instruction(const Access &access, const ActiveThreads &active,
                                       double weight) {
    Sums &sums = access.direction == Direction::load ? loads_ : stores_;
    for_each_warp(access, active, weight, [&](const WarpLanes &lanes) {
        shared_bytes_ += weight * static_cast<double>(lanes.bytes_each) *
                         static_cast<double>(lanes.first_bytes.size());
        wavefronts_ += weight * static_cast<double>(wavefronts(lanes, units_));
        sums.shared_instructions += weight * static_cast<double>(lanes.first_bytes.size());
    });
}

// One element of each thread, which may be part of an instruction that moves its neighbours, too.
void AccessCounter::shared_element(const Access &access, const ActiveThreads &active,
                                   const AddressKey &key, double weight) {
    Sums &sums = access.direction == Direction::load ? loads_ : stores_;
    const int64_t bytes = access.element_bytes;
    int64_t first_byte = 0, most = JoinedAccesses::kMostBytes / bytes;
    double elements = 0, warps = 0;
    JoinedAccesses::Passes passes{};
    for_each_warp(access, active, 0, [&](const WarpLanes &lanes) {
        if (std::exchange(elements, elements + static_cast<double>(lanes.first_bytes.size())) ==
            0) {
            first_byte = lanes.first_bytes.front();
        }
        ++warps;
        most = std::min(most, JoinedAccesses::most_elements(lanes.first_bytes, bytes));
        for (size_t log2 = 0; int64_t{1} << log2 <= most; ++log2) {
            passes[log2] += static_cast<double>(
                wavefronts({lanes.first_bytes, bytes << static_cast<int64_t>(log2)}, units_));
        }
    });
    if (elements == 0) return;
    const JoinedAccesses::Cost cost =
        joined_.add(access.buffer, access.direction == Direction::store, key.shape, first_byte,
                    bytes, most, passes);
    shared_bytes_ += weight * static_cast<double>(bytes) * elements;
    wavefronts_ += weight * cost.passes;
    sums.shared_instructions += weight * cost.instructions * elements;
    add_instructions(weight * cost.instructions, elements,
                     warps * static_cast<double>(units_.warp_threads));
}

void AccessCounter::local(const Access &access, const ActiveThreads &active, double weight) {
    if (scouting_ || active.count == 0) return;
    LocalArray &array = local_arrays_[access.buffer];
    const int64_t bytes = access.element_bytes * access.lanes;
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

void AccessCounter::report(ThreadWork &work) const {
    const auto sector = static_cast<double>(units_.sector_bytes);
    work.access_load_bytes = loads_.access_bytes;
    work.access_store_bytes = stores_.access_bytes;
    work.transaction_load_bytes = loads_.sectors * sector;
    work.transaction_store_bytes = stores_.sectors * sector;
    work.global_load_wavefronts = loads_.wavefronts;
    work.global_store_wavefronts = stores_.wavefronts;
    work.shared_access_bytes = shared_bytes_;
    work.shared_wavefronts = wavefronts_;
    work.atomic_operations = atomic_operations_;
    work.atomic_sectors = atomic_sectors_;
    work.atomic_bytes = atomic_bytes_;
    work.stack_access_bytes = 0;
    for (const auto &[buffer, array] : local_arrays_) {
        work.stack_access_bytes += array.on_stack ? array.access_bytes : 0;
    }
    work.global_loads = loads_.instructions;
    work.global_stores = stores_.instructions;
    work.shared_loads = loads_.shared_instructions;
    work.shared_stores = stores_.shared_instructions;
    work.active_lanes = active_lanes_;
    work.warp_lanes = warp_lanes_;
    work.block_instructions = block_instructions_;
    work.waits = waits_;
    work.global_waits = global_waits_;
    work.load_groups = load_groups_;
    work.new_load_groups = new_load_groups_;
}

void AccessCounter::report_kernel(KernelTraffic &traffic) const {
    report(traffic);
    traffic.footprint_load_bytes = loads_.footprint_bytes;
    traffic.footprint_store_bytes = stores_.footprint_bytes;
    traffic.cached_load_bytes = loads_.cached_bytes;
    traffic.cached_store_bytes = stores_.cached_bytes;
    traffic.block_load_bytes = loads_.block_sectors * static_cast<double>(units_.sector_bytes);
    for (const auto &[buffer, array] : local_arrays_) {
        traffic.stack_bytes += array.on_stack ? array.bytes : 0;
    }
}

void AccessCounter::enter_branch() {
    branches_.emplace_back(order_.loads, order_.is_behind_branch);
    order_.is_behind_branch = true;
}

// A branch that loads nothing is executed without one, as instructions under a condition.
void AccessCounter::leave_branch() {
    const auto [loads, was_behind_branch] = branches_.back();
    branches_.pop_back();
    order_.is_behind_branch = was_behind_branch || order_.loads > loads;
}

bool AccessCounter::pass_is_in_place() const {
    return std::ranges::any_of(
        order_.stored, [&](lowered::BufferId buffer) { return order_.loaded.contains(buffer); });
}

bool AccessCounter::is_kept_back(const Access &load) const {
    if (order_.loads == 0) return false;
    if (order_.is_behind_branch) return true;
    const auto forms = order_.loaded.find(load.buffer);
    const bool is_near = forms != order_.loaded.end() && forms->second.contains(load.form);
    return order_.is_behind_step && !is_near;
}

bool AccessCounter::happens(const Access &access, const ActiveThreads &active,
                            const AddressKey &key, double weight) {
    work_ += static_cast<double>(active.flags.size()) * static_cast<double>(access.lanes);
    if (access.atomic) return true;
    const bool is_global = code_.buffer(access.buffer).memory == MemoryKind::global;
    if (access.direction == Direction::store) {
        const bool stores = kept_.store(access.site, access.buffer, key);
        if (stores && is_global) order_.stored.insert(access.buffer);
        return stores;
    }
    const bool would_wait = kept_.waits(access.buffer, key);
    if (!kept_.load(access.site, access.buffer, key)) {
        if (is_global && order_.stored.contains(access.buffer)) order_.is_behind_step = true;
        return false;
    }
    const bool waits = would_wait || (is_global && is_kept_back(access));
    if (waits) waits_ += weight;
    if (!is_global) return true;
    if (waits) global_waits_ += weight;
    if (waits) order_.is_group = order_.is_new_group = false;
    if (!std::exchange(order_.is_group, true)) load_groups_ += weight;
    ++order_.loads;
    order_.is_behind_branch = order_.is_behind_step = false;
    order_.loaded[access.buffer].insert(access.form);
    return true;
}

AddressKey AccessCounter::key_of(const Access &access, const ActiveThreads &active) const {
    const int64_t threads = static_cast<int64_t>(active.flags.size());
    AddressKey key;
    bool found = false;
    uint64_t shape =
        mix64(static_cast<uint64_t>(access.lanes * 2 + (access.index->uniform ? 1 : 0)));
    // All distances in shared memory are constants, so that addresses there have one form.
    if (code_.buffer(access.buffer).memory == MemoryKind::global) shape ^= mix64(access.form);
    for (int64_t lane = 0; lane < access.lanes; lane++) {
        for (int64_t t = 0; t < threads; t++) {
            if (!takes_part(access, lane, t, active)) {
                shape = shape * 0x9e3779b97f4a7c15ULL + 1;
                continue;
            }
            const int64_t byte = access.element_bytes * integer_at(*access.index, lane, t, threads);
            if (!std::exchange(found, true)) key.base = byte;
            shape = (shape ^ static_cast<uint64_t>(byte - key.base)) * 0x9e3779b97f4a7c15ULL;
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
void AccessCounter::for_each_warp(const Access &access, const ActiveThreads &active, double weight,
                                  F f) {
    const int64_t element_bytes = access.element_bytes;
    const auto threads = static_cast<int64_t>(active.flags.size());
    std::vector<int64_t> first_bytes;
    for (int64_t lane = 0; lane < access.lanes; lane += access.elements_per_instruction) {
        const int64_t elements = std::min(access.elements_per_instruction, access.lanes - lane);
        double lanes_taking_part = 0, warps = 0;
        for (int64_t begin = 0; begin < threads; begin += units_.warp_threads) {
            first_bytes.clear();
            const int64_t end = std::min(threads, begin + units_.warp_threads);
            for (int64_t t = begin; t < end; t++) {
                if (!takes_part(access, lane, t, active)) continue;
                first_bytes.push_back(integer_at(*access.index, lane, t, threads) * element_bytes);
            }
            if (first_bytes.empty()) continue;
            lanes_taking_part += static_cast<double>(first_bytes.size());
            ++warps;
            f(WarpLanes{first_bytes, elements * element_bytes});
        }
        if (warps == 0 || weight == 0) continue;
        add_instructions(weight, lanes_taking_part,
                         warps * static_cast<double>(units_.warp_threads));
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
