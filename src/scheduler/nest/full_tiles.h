// At which sizes a kernel may run as it was searched, with full tiles. At all others its stages
// have a schedule that asks for less (scheduler/schedule/directives_of_nest.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// What y and z of a grid hold with every API (CUDA's limit, and the least of the others).
inline constexpr int64_t kMostBlocks = 65535;

// By dimension of the kernel's Func, in points; 0: any.
struct FullTiles {
    std::vector<int64_t> least;  // a tile that is shifted inwards must not start before the region
    std::vector<int64_t> most;   // what the grid's dimensions hold
};

// Of the kernel's own stage. nullopt: the kernel may run so at all sizes, or is on the host.
std::optional<FullTiles> full_tiles(const Dag &dag, const Kernel &kernel);

// Where another stage is computed, in a block of the kernel or in a thread: how much of the
// kernel's Func a block or a thread computes. nullopt: there is one schedule of that stage for all
// sizes.
std::optional<FullTiles> full_tiles_around(const Dag &dag, const Kernel &kernel, StageId stage);

// What the kernel's stage does at all other sizes.
enum class OtherSizes : uint8_t {
    guarded_tiles,  // the same tiles, which end in guards
    points,         // a block computes one point along each dimension that may be smaller than a
                    // tile, so that Halide knows how much of other Funcs it needs: behind a guard
                    // it does not
};
OtherSizes at_other_sizes(const Dag &dag, const Kernel &kernel);

// The loops of the kernel's stage that make its grid: x, y and z, then those that are fused with z.
std::vector<size_t> grid_loops(const Dag &dag, const Kernel &kernel);

// Whether Halide knows how far the loop runs. A reduction whose iterations blocks share counts as
// such.
bool has_constant_extent(const Dag &dag, StageId stage, size_t loop);

}  // namespace autoschedule_gpu
