// At which sizes a kernel may run as it was searched, with full tiles. At all others its stages
// have a schedule that asks for less (scheduler/schedule/write/branches.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// What y and z of a grid hold with every API (CUDA's limit, and the least of the others).
inline constexpr int64_t kMostBlocks = 65535;

// In points or iterations; 0: any.
struct FullTiles {
    // By dimension of the kernel's Func.
    std::vector<int64_t> least;  // a tile that is shifted inwards must not start before the region
    std::vector<int64_t> most;   // what the grid's dimensions hold

    // Loops of reductions whose extents are known at run time only: a launch needs a block, and the
    // grid must hold them.
    struct Reduction {
        size_t loop;
        int64_t least, most;
    };
    std::vector<Reduction> reductions = {};
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

// How the stage of a kernel that has full tiles is tiled at all other sizes, but for what a thread
// computes one after the other of guarded tiles.
Tiling tiling_at_other_sizes(const Dag &dag, const Kernel &kernel);

// Whether at all other sizes, where a block needs little of what else is computed in it, every
// point of that may have a thread of its own, so that the block has no more threads than with full
// tiles. It is better so: of a loop over a thread's points compilers keep in registers what all of
// them need, such as the addresses of all loads, which may be more than there are.
bool has_threads_for_all_points(const Dag &dag, const Kernel &kernel);

// The loops of the kernel's stage that make its grid: x, y and z, then those that are fused with z.
std::vector<size_t> grid_loops(const Dag &dag, const Kernel &kernel);

// Whether the number of blocks along some reduction loop of the kernel's stage is known at run time
// only, and nothing else is computed in the blocks.
bool has_varying_reductions(const Dag &dag, const Kernel &kernel);

// Whether Halide knows how far the loop runs. A reduction whose iterations blocks share counts as
// such.
bool has_constant_extent(const Dag &dag, StageId stage, size_t loop);

}  // namespace autoschedule_gpu
