// How large the tile of a loop may be (Sioutas et al. 2020 §4.2).
#pragma once

#include <cstddef>
#include <cstdint>

namespace autoschedule_gpu {

// Loops with fewer iterations are not tiled, unless all have fewer.
inline constexpr int64_t kLongLoop = 64;

// T_min and T_max of the paper for a loop of `extent` iterations, of `tiled` loops that are tiled:
//
//     T_max = extent / 128 if extent >= 1024 and tiled = 1
//             extent / 32  if extent >= 1024 and tiled > 1
//             extent / 2   otherwise
//     T_min = 8 if extent >= 64, else 2
//
// A loop too short for these is one tile: both are at least 1, and T_min is at most T_max.
struct TileBounds {
    int64_t least = 1, most = 1;
    friend bool operator==(const TileBounds &, const TileBounds &) = default;
};
TileBounds tile_bounds(int64_t extent, size_t tiled);

}  // namespace autoschedule_gpu
