// The shape of a reduction, as far as it decides how it may be taken apart.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/dag/dag.h"

namespace autoschedule_gpu {

struct Reduction {
    const Stage *stage = nullptr;
    std::vector<size_t> loops;  // its reduction loops
    // Neighbouring lanes take neighbouring iterations of `lane`; chunks are of `chunk`, which is
    // another one where there is one.
    size_t lane = 0, chunk = 0;
    // A short loop: lanes may take all of it for so many iterations of `lane`. These read side by
    // side, and one iteration of `lane` beside the next; or each loop that lanes could have is
    // short.
    std::optional<size_t> within;
    int64_t points = 1;      // of its other loops, at the estimates
    int64_t iterations = 1;  // of each

    int64_t extent(size_t loop) const { return stage->loops[loop].range.extent(); }
    bool has_own_chunk_loop() const { return chunk != lane; }
    bool takes_all_within(int64_t lanes) const { return within && lanes % extent(*within) == 0; }
    // Iterations of `lane` that so many lanes take at once.
    int64_t rows(int64_t lanes) const {
        return takes_all_within(lanes) ? lanes / extent(*within) : lanes;
    }
    // Iterations of `chunk` in which each of so many lanes has that many steps.
    int64_t chunk_size(int64_t lanes, int64_t steps) const;
};

Reduction reduction_of(const Dag &dag, const Stage &stage);

// Whether a load moves by neighbouring elements along a reduction loop, and far with each other
// loop that a warp could run over.
bool is_read_across(const Dag &dag, const Stage &stage);

}  // namespace autoschedule_gpu
