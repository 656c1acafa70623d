#include "core/gpu/access_memo.h"

#include <algorithm>
#include <bit>

#include "core/support/hash.h"

namespace autoschedule_gpu {

// Strides go by their bits, for an unknown one is no number.
AccessMemo::Key AccessMemo::key_of(const WarpAccess &access) {
    Key key = {};
    auto next = key.begin();
    const auto add = [&](auto value) { *next++ = std::bit_cast<uint64_t>(value); };
    add(access.element_bytes);
    add(access.active_lanes);
    add(access.alignment_bytes);
    std::ranges::for_each(access.threads, add);
    std::ranges::for_each(access.stride_bytes, add);
    if (access.block) std::ranges::for_each(*access.block, add);
    return key;
}

template <typename Result, typename Compute>
const Result &AccessMemo::known(std::vector<Entry<Result>> &entries, const WarpAccess &access,
                                Compute compute) {
    const Key key = key_of(access);
    uint64_t hash = 0;
    for (const uint64_t word : key) hash = std::rotl(hash, 25) * 0x9e3779b97f4a7c15ULL + word;
    Entry<Result> &entry = entries[mix64(hash) % kEntries];
    if (entry.key != key) entry = {key, compute(model_, access)};
    return entry.result;
}

const GlobalAccess &AccessMemo::global(const WarpAccess &access) {
    return known(global_, access, global_access);
}

const SharedAccess &AccessMemo::shared(const WarpAccess &access) {
    return known(shared_, access, shared_access);
}

}  // namespace autoschedule_gpu
