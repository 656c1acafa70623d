// The project's one source of random numbers: SplitMix64. The sequence depends on the seed alone,
// never on the standard library, so that a seed names the same search everywhere.
// Not thread-safe: each thread (or each decision) derives its own with `fork`.
#pragma once

#include <cstdint>

#include "core/support/hash.h"

namespace autoschedule_gpu {

__extension__ using Uint128 = unsigned __int128;

class Random {
public:
    explicit Random(uint64_t seed) : state_(seed) {}

    uint64_t next() {
        state_ += 0x9e3779b97f4a7c15ULL;
        return mix64(state_);
    }

    // Uniform in [0, bound). `bound` must be positive. Multiply-shift: the bias is below 2^-32 for
    // every bound that a search uses.
    uint64_t below(uint64_t bound) {
        return static_cast<uint64_t>((static_cast<Uint128>(next()) * bound) >> 64);
    }

    // Uniform in [lo, hi], both included.
    int64_t between(int64_t lo, int64_t hi) {
        return lo + static_cast<int64_t>(below(static_cast<uint64_t>(hi - lo) + 1));
    }

    // Uniform in [0, 1).
    double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

    // An independent generator for the sub-task called `key`.
    Random fork(uint64_t key) const { return Random(Hasher(state_).add(key).value()); }

private:
    uint64_t state_;
};

}  // namespace autoschedule_gpu
