#include "scheduler/search/buckets.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>

#include "core/support/hash.h"
#include "scheduler/nest/structure.h"

namespace autoschedule_gpu {

namespace {

// A bucket of which even so nothing is legal is given up.
constexpr size_t kTriesPerDraw = 3;

// What is drawn hangs on these numbers: with others, a seed would lead to another schedule.
uint64_t code_of(const Decision &decision) {
    if (decision.place == Place::inlined) return 0;
    if (decision.place == Place::root) return 1;
    if (is_in_block(decision.place)) return 2;
    if (decision.place == Place::threads) return 3;
    return is_tiling(decision) ? 4 : 5;
}

}  // namespace

Hasher bucket_of_any_tiling(uint64_t met, const Decision &move) {
    Hasher hasher;
    hasher.add(met).add(code_of(move)).add(move.kernel).add(move.site.index());
    if (move.loop.valid()) hasher.add(move.loop.update.index());
    if (move.loop.outside != Outside::all) {
        hasher.add(static_cast<uint64_t>(move.loop.outside));
    }
    return hasher;
}

uint64_t bucket_of(Hasher of_any_tiling, const Decision &move, int depth) {
    if (move.tiling != nullptr) of_any_tiling.add(structural_hash(*move.tiling, depth));
    return of_any_tiling.value();
}

uint64_t bucket_of(uint64_t met, const Decision &move, int depth) {
    return bucket_of(bucket_of_any_tiling(met, move), move, depth);
}

bool differ_in_tilings_alone(const Decision &a, const Decision &b) {
    return code_of(a) == code_of(b) && a.kernel == b.kernel && a.site == b.site && a.loop == b.loop;
}

std::vector<Bucket> draw_buckets(const std::vector<uint64_t> &keys, const Random &random) {
    std::vector<uint32_t> bucket_of_option(keys.size());
    std::vector<size_t> sizes;
    std::unordered_map<uint64_t, uint32_t> bucket_of_key;
    for (size_t i = 0; i < keys.size(); ++i) {
        if (i > 0 && keys[i] == keys[i - 1]) {  // neighbours often share one
            bucket_of_option[i] = bucket_of_option[i - 1];
        } else {
            const auto bucket = static_cast<uint32_t>(sizes.size());
            const auto [at, fresh] = bucket_of_key.try_emplace(keys[i], bucket);
            if (fresh) sizes.push_back(0);
            bucket_of_option[i] = at->second;
        }
        ++sizes[bucket_of_option[i]];
    }
    std::vector<Bucket> buckets(sizes.size());
    for (size_t b = 0; b < sizes.size(); ++b) buckets[b].options.reserve(sizes[b]);
    for (size_t i = 0; i < keys.size(); ++i) {
        buckets[bucket_of_option[i]].options.push_back(static_cast<uint32_t>(i));
    }
    for (Bucket &bucket : buckets) {
        std::vector<uint32_t> &options = bucket.options;
        bucket.draws = std::max<size_t>(1, static_cast<size_t>(std::bit_width(options.size())) - 1);
        bucket.tries = kTriesPerDraw * bucket.draws;
        Random own = random.fork(keys[options.front()]);
        for (size_t i = 0; i + 1 < options.size() && i < bucket.tries; ++i) {
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
