#include "scheduler/decisions/optional_kinds.h"

#include "scheduler/decisions/decision_list.h"

namespace autoschedule_gpu {
namespace {

constexpr OptionalKind kOptionalKinds[] = {
    {"aligned_tiles",
     "whether tiles begin at multiples of their size, where what is computed in them needs it; "
     "without, it is computed elsewhere."},
    {"along_stores",
     "whether threads side by side compute what a kernel stores side by side, or, where that pays, "
     "neighbours along another dimension, whose loads lie side by side; without, always the "
     "first."},
    {"channel_vectors",
     "whether a thread computes two or four channels of a Func at once, which lie side by side in "
     "what it loads for them or in what it stores; without, one by one."},
    {decision_kind::compute_with,
     "which kernels are computed in one launch; without, each has its own."},
    {"fitted_blocks",
     "whether a tile is so narrow that a block, with what its Funcs need around the tile, is a "
     "whole number of warps wide, or no wider than the tile would be, and whether the same threads "
     "compute the tile and a Func in the block; without, tiles are as the space has them, and such "
     "a Func has more threads."},
    {"loads_ahead",
     "whether a scan loads what several of its steps read before the first of them stores; "
     "without, each step waits for the one before where compilers can't tell the two apart."},
    {"multiples",
     "whether a kernel has one schedule more for outputs of even extents, or multiples of 3 to 8."},
    {"padding",
     "whether rows of a Func in shared memory are an odd number of words apart, so that lanes in "
     "different rows meet in no bank; without, they are as long as they need be."},
    {"pixel_vectors",
     "whether a thread loads and stores several pixels with all of their channels by vectors, "
     "where channels lie side by side in a buffer whose address is promised to be aligned."},
    {decision_kind::rfactor,
     "reductions are taken apart, so that many threads compute one, or have their sums in "
     "registers, where these would be in the memory of an output."},
    {decision_kind::rows,
     "whether a block's threads stride through whole rows, or through a tile as large as the "
     "chunks that it reads; without, each has a piece of a tile."},
    {decision_kind::sliding,
     "whether blocks walk along a loop and keep, in shared memory, what the next tile needs again; "
     "without, each computes one tile."},
    {"step_vectors",
     "whether a thread loads four steps of a reduction at once where rows are aligned."},
    {"steps", "how many iterations of a reduction loop are written out; without, one."},
    {decision_kind::storage,
     "which dimension of a Func between kernels is innermost in memory, and which inline Funcs "
     "have "
     "a copy in another order; without, the first, and none."},
    {"unroll", "how far a stage's loops are unrolled; without, as far as all goes."},
    {"updates_in_registers",
     "whether a Func with updates is computed in the threads that read it, all of its stages in "
     "their registers; without, in a block or at root."},
    {"vectors", "whether four neighbours are loaded and stored at once where rows are aligned."},
};

}  // namespace

std::span<const OptionalKind> optional_kinds() {
    return kOptionalKinds;
}

}  // namespace autoschedule_gpu
