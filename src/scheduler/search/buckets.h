// Hierarchical sampling (Anderson 2021 §3.1, §4.4): options that lead to the same structure, down
// to the depth of the pass, are one bucket; log2(B) of its B options are drawn at random to stand
// for it. An option's bucket is known before it is applied, which is what sampling saves.
#pragma once

#include <cstdint>
#include <vector>

#include "core/support/hash.h"
#include "core/support/random.h"
#include "scheduler/space/space.h"

namespace autoschedule_gpu {

// Where an option of a step leads, down to `depth`: a hash of the structure that the move meets and
// of what it changes there. `met` is that of the parent, or, for a move into one kernel, of that
// kernel at this depth and of the rest down to kDeepestPlaces: how other kernels are tiled makes no
// difference to it.
uint64_t bucket_of(uint64_t met, const Decision &move, int depth);

// The same in two steps, the first of which says the same of moves that differ in tilings alone.
Hasher bucket_of_any_tiling(uint64_t met, const Decision &move);
uint64_t bucket_of(Hasher of_any_tiling, const Decision &move, int depth);
bool differ_in_tilings_alone(const Decision &a, const Decision &b);
inline constexpr int kDeepestPlaces = 2;

// Options of one bucket, the first `tries` of them in the order in which they are drawn.
struct Bucket {
    std::vector<uint32_t> options;
    size_t draws = 0;  // legal ones to take
    size_t tries = 0;  // options to look at for them: most may be illegal
};

// `keys[i]` is the bucket of option i. Buckets are in the order of their first options; what is
// drawn depends on `random` and the keys alone.
std::vector<Bucket> draw_buckets(const std::vector<uint64_t> &keys, const Random &random);

// All options in one go, in their order.
std::vector<Bucket> all_options(size_t count);

}  // namespace autoschedule_gpu
