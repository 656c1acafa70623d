// Sliding windows: blocks that walk. A block of a kernel whose tiling says so (LoopTile::walk) does
// several tiles along one loop, one after the other. What is computed in the block for a tile and
// was computed for the tile before is kept, in shared memory that is used as a ring:
//
//     for each tile of the walk
//       ├ threads    the rows of a stage that the tile before did not need
//       └ threads    the root stage's tile
//
// The first tile needs rows that none before it has left. They come about in steps before it, in
// which nothing else is done. Pure functions; safe from any thread.
//
// A thread could keep such rows as well, in registers that it moves on. That was measured and pays
// in few cases (src/halide/README.md, 'Sliding windows').
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// The loop along which blocks walk; none if they don't.
std::optional<size_t> walked_loop(std::span<const LoopTile> tiling);

// Tiles of a block; 1 if it does not walk.
int64_t walk_of(std::span<const LoopTile> tiling);

// How a Func in the block goes along.
struct Slide {
    size_t dim = 0;      // in which its window moves
    int64_t fresh = 1;   // points along it that a step adds
    int64_t before = 0;  // steps before the first tile
};

// Of a Func that is computed in the block of a kernel that walks, of which a tile needs `extents`
// points, the same of every tile; what reads it is in the kernel. None if the walk does not move
// its window along one dimension, in which neighbouring windows overlap or touch, other than that
// of its rows.
std::optional<Slide> slide_of(const Dag &dag, const Kernel &kernel, FuncId func,
                              std::span<const int64_t> extents);

// Points along that dimension for which Halide makes room: a power of two, no less than what one
// step computes and reads of the Func. What reads it must be in the kernel.
int64_t ring_points(const Dag &dag, const Kernel &kernel, FuncId func, const Slide &slide);

// The same points, but for the fresh ones only along the dimension in which the window moves;
// unchanged where nothing slides.
std::vector<int64_t> fresh_extents(const Dag &dag, const Kernel &kernel, FuncId func,
                                   std::span<const int64_t> extents);

// Whether anything in the block of a kernel that walks is kept from one tile to the next; else
// there is no reason to walk.
bool keeps_something(const Dag &dag, const Kernel &kernel);

// Why a kernel, whose tiling says that it walks, can't; nullptr if it can.
const char *why_no_walk(const Dag &dag, const Kernel &kernel);

}  // namespace autoschedule_gpu
