#include "search/buckets.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>

#include "nest/structure.h"
#include "support/hash.h"

namespace autoschedule_gpu {

namespace {

// A bucket of which even so nothing is legal is given up.
constexpr size_t kTriesPerDraw = 3;

}  // namespace

uint64_t bucket_of(uint64_t met, const Move &move, int depth) {
    Hasher hasher;
    hasher.add(met).add(static_cast<uint64_t>(move.kind)).add(move.kernel).add(move.site.index());
    if (move.loop.valid()) hasher.add(move.loop.index());
    if (move.tiling != nullptr) hasher.add(structural_hash(*move.tiling, depth));
    return hasher.value();
}

std::vector<Bucket> draw_buckets(const std::vector<uint64_t> &keys, const Random &random) {
    std::vector<Bucket> buckets;
    std::unordered_map<uint64_t, size_t> bucket_of_key;
    size_t bucket = 0;
    for (size_t i = 0; i < keys.size(); ++i) {
        if (i == 0 || keys[i] != keys[i - 1]) {  // neighbours often share one
            const auto [at, fresh] = bucket_of_key.try_emplace(keys[i], buckets.size());
            if (fresh) buckets.emplace_back();
            bucket = at->second;
        }
        buckets[bucket].options.push_back(static_cast<uint32_t>(i));
    }
    for (Bucket &bucket : buckets) {
        std::vector<uint32_t> &options = bucket.options;
        bucket.draws = std::max<size_t>(1, static_cast<size_t>(std::bit_width(options.size())) - 1);
        bucket.tries = kTriesPerDraw * bucket.draws;
        Random own = random.fork(keys[options.front()]);
        for (size_t i = 0; i + 1 < options.size(); ++i) {
            std::swap(options[i], options[i + own.below(options.size() - i)]);
        }
    }
    return buckets;
}

std::vector<Bucket> all_options(size_t count) {
    std::vector<Bucket> buckets(count);
    for (size_t i = 0; i < count; ++i) buckets[i] = {{static_cast<uint32_t>(i)}, 1, 1};
    return buckets;
}

}  // namespace autoschedule_gpu
