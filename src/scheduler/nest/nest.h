// The loop nest of a schedule, as a value.
//
//     Nest ── kernels   one per stage that is computed at root, in the order they were decided
//               └ Band (block)             loops over blocks, of the kernel's root stage
//                   ├ Band (thread)        a stage computed per block, in shared memory
//                   │   └ Band (serial)
//                   └ Band (thread)        the root stage's own threads, always last
//                       ├ Band (serial)    a stage computed per thread, in registers
//                       └ Band (serial)    the root stage's innermost loops, always last
//
// Between blocks and threads there may be a serial loop (scheduler/nest/block_loop.h): that of an
// update which is computed per block runs outside the update's threads, and in each iteration what
// it reads is computed anew.
//
//                 for each point of the update's reduction, or of its outermost loop
//                   ├ Band (thread, loop = the update)   a stage that the loop reads
//                   └ Band (thread, loop = the update)   the update's own threads, last in the loop
//
// The list of thread bands stays flat; those of one loop are neighbours.
//
// A Band holds the trip count of every loop of its stage at its level; the loops of one stage are
// split over the Bands on the way from the kernel to the innermost one. A Func that is inlined has
// no Band: it is listed in every kernel that evaluates it.
//
// Nothing here ever changes: kernels and bands are reached through pointers to const and shared
// between nests. An edit (scheduler/nest/edit.h) returns a new kernel. Safe to read from any
// thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/dag/dag.h"
#include "core/support/memory_kind.h"
#include "core/support/strong_id.h"
#include "scheduler/nest/block_loop.h"
#include "scheduler/nest/member.h"
#include "scheduler/nest/place.h"
#include "scheduler/nest/stage_setting.h"

namespace autoschedule_gpu {

// `serial`: a thread's iterations are consecutive. `strided` and `spread`: they are as far apart as
// there are threads, so that neighbours do neighbouring points in each round; spread ones are those
// of a tile (Rest::spread).
enum class Level : uint8_t { block, thread, serial, strided, spread };
// Whether it is one of the latter two.
inline bool is_in_rounds(Level level) {
    return level >= Level::strided;
}

// How far the loops of an innermost band are unrolled: not at all; those of the tile; those and
// constant reduction loops. Each as far as UnrolledLoops says.
enum class Unroll : uint8_t { none, tile, all };
inline constexpr int kUnrolls = 3;
std::string_view to_string(Unroll unroll);
std::optional<Unroll> parse_unroll(std::string_view name);

// Who takes the iterations of a loop beyond its tile: other blocks; or the threads of the same one,
// again and again, so that a block has whole rows of any length. `spread`: other blocks, and the
// iterations that a thread has of the tile are as far apart as there are threads.
enum class Rest : uint8_t { blocks, threads, spread };

// What one loop of a stage is split into, innermost first: `serial` consecutive iterations per
// thread, `threads` threads per block; the blocks take the rest, or those threads do (then `serial`
// is 1). A reduction loop whose iterations are not independent stays whole in the thread (1, 1),
// unless it is `atomic`: then its iterations meet in atomic operations, and those of a thread are
// `threads` apart, so that neighbouring threads read neighbouring elements. `walk`: tiles that a
// block does one after the other along the loop (scheduler/nest/sliding.h).
struct LoopTile {
    int64_t serial = 1;
    int64_t threads = 1;
    bool atomic = false;
    Rest rest = Rest::blocks;
    int64_t walk = 1;
    int64_t points() const { return serial * threads; }
    int64_t block_points() const { return points() * walk; }
    friend bool operator==(const LoopTile &, const LoopTile &) = default;
};
using Tiling = std::vector<LoopTile>;  // one per loop of the stage

// Whether there is an axis of the block for every loop that threads share.
inline bool has_axes(const Tiling &tiling) {
    constexpr std::ptrdiff_t kMostAxes = 3;
    const auto is_shared = [](const LoopTile &tile) { return tile.threads > 1; };
    return std::count_if(tiling.begin(), tiling.end(), is_shared) <= kMostAxes;
}

// Whether blocks and threads share the iterations of a loop that is tiled so.
inline bool is_split(const Loop &loop, const LoopTile &tile) {
    return loop.parallel || tile.atomic;
}
// Whether several blocks do: each has a tile.
inline bool has_blocks(const Loop &loop, const LoopTile &tile) {
    return is_split(loop, tile) && tile.rest != Rest::threads;
}
// Whether a block has all iterations of some loop, in threads that go on.
bool has_whole_rows(std::span<const LoopTile> tiling);
// Whether a tile of a stage whose threads go on along whole rows gives a thread several points at
// once, of a loop that threads share: there are no such kernels.
bool has_points_beside_rows(const Stage &stage, std::span<const LoopTile> tiling, size_t loop);
// The same of any of its loops.
bool has_points_beside_rows(const Stage &stage, std::span<const LoopTile> tiling);
// Whether a thread's points of some tile are spread.
bool has_spread_points(std::span<const LoopTile> tiling);

// Threads of a block or a band in x, y, z.
struct ThreadExtents {
    int64_t x = 1, y = 1, z = 1;
    int64_t total() const { return x * y * z; }
};

struct Band;
using BandPtr = std::shared_ptr<const Band>;

struct Band {
    Level level = Level::serial;
    StageId stage;
    std::vector<int64_t> trips;  // one per loop of the stage; 1 where the loop has no part here
    std::vector<int> axes;       // thread: loops that are thread x, y, z, in this order
    // thread: its axes are one loop, which runs over the first of them fastest and over threads as
    // they are numbered, x fastest; `shape` are these threads, as far as they fill rows and planes
    // of the root stage's.
    bool flat = false;
    ThreadExtents shape = {};
    std::vector<BandPtr> body;  // executed in order; empty for the innermost band
    // thread: the loop that encloses this band, possibly of its own stage, which then has a trip
    // count of 1 here in what is outside. Invalid: the band runs once per block.
    BlockLoop loop = {};
    // Where the values of the stage are stored: every band of it says the same.
    MemoryKind memory = MemoryKind::global;
    // thread, of the first stage of a Func in shared memory: elements from one row of the Func to
    // the next, where there are more than it needs (scheduler/nest/padding.h); 0 where there are
    // not. Forgotten when something more is computed in the block.
    int64_t row = 0;
    Unroll unroll = Unroll::all;  // innermost
    // innermost: it reads what is computed in the same threads, from an array that stays in
    // registers only if the loops which index it are unrolled.
    bool reads_arrays = false;
    // innermost: iterations, of the first reduction loop that is not unrolled or the loop along a
    // row, that a pass of it has (UnrolledLoops).
    int64_t steps = 1;
};

// A stage computed at root. On the host it has no bands: Halide's default loops run there.
struct Kernel {
    StageId stage;
    bool on_host = false;
    Tiling tiling;
    BandPtr blocks;                      // null on the host
    std::vector<FuncId> inlined;         // ascending
    std::vector<Member> members;         // what else is computed in it; consumers first
    std::vector<StageSetting> settings;  // at most one of a kind and stage
    // Whether its tiles begin at multiples of their size where that may be (Dimension::rounds_up),
    // because of what is computed in them (scheduler/nest/regions.h): the last one ends in a guard,
    // and of what is computed in it there is as much as in others.
    bool aligned = false;
    bool vectors = true;          // where there can be any (scheduler/nest/vectors.h)
    bool step_vectors = true;     // likewise (scheduler/nest/step_vectors.h)
    bool multiples = true;        // likewise (scheduler/nest/multiples.h)
    bool channel_vectors = true;  // likewise (scheduler/nest/channel_vectors.h)
    bool pixel_vectors = true;    // likewise (scheduler/nest/pixel_vectors.h)
    bool loads_ahead = true;      // likewise (scheduler/nest/loads_ahead.h)
    // Whether thread x goes along what the stage stores (scheduler/nest/thread_order.h).
    bool along_stores = true;
    // The kernel, by its stage, in whose launch this one is computed (scheduler/nest/launch.h): its
    // own where others are computed in it. Invalid: it has a launch of its own.
    StageId with = {};
    // Of all of the above, but for members, whose bands tell as much; equal kernels have equal
    // hashes.
    uint64_t hash = 0;
};
using KernelPtr = std::shared_ptr<const Kernel>;

// What a kernel has where it can, unless that is switched off; `off` says so in a nest's text.
struct KernelOption {
    bool Kernel::*is_on;
    std::string_view off;
};
inline constexpr std::array kKernelOptions = {KernelOption{&Kernel::vectors, "scalar"},
                                              KernelOption{&Kernel::multiples, "once"},
                                              KernelOption{&Kernel::step_vectors, "stepwise"},
                                              KernelOption{&Kernel::channel_vectors, "apart"},
                                              KernelOption{&Kernel::along_stores, "across"},
                                              KernelOption{&Kernel::pixel_vectors, "pixelwise"},
                                              KernelOption{&Kernel::loads_ahead, "behind"}};

struct Nest {
    std::vector<KernelPtr> kernels;
    std::vector<Place> places;  // by FuncId

    Place place(FuncId id) const { return places[id.index()]; }
    // The sum of its kernels' and its places' shares: that of a changed nest is found from what
    // changed. The order in which kernels were decided makes no difference.
    uint64_t hash() const;
};
uint64_t hash_share(const Kernel &kernel);
// Where inside a kernel a Func is, the kernel's share tells.
uint64_t hash_share(FuncId func, Place place);

// A nest with nothing decided.
Nest empty_nest(const Dag &dag);

// The band of the root stage's threads, or nullptr (kernel on the host).
const Band *root_threads(const Kernel &kernel);

// All thread bands of a kernel, in execution order.
inline auto thread_bands(const Kernel &kernel) {
    const std::span<const BandPtr> bands =
        kernel.blocks ? std::span<const BandPtr>(kernel.blocks->body) : std::span<const BandPtr>();
    return std::views::transform(bands, [](const BandPtr &band) { return band.get(); });
}

// The thread band of that stage, or null.
const Band *find_threads(const Kernel &kernel, StageId stage);

// The innermost band of that stage, or null.
const Band *find_innermost(const Kernel &kernel, StageId stage);

// Innermost bands (those that execute a stage) below `band`, in execution order.
std::vector<const Band *> innermost_bands(const Band &band);

// Iterations of a band: the product of its trip counts. Those of the loop around it come on top.
int64_t iterations(const Band &band);

// Points per thread of a member in the block, along each dimension.
std::span<const int64_t> serial_of(const Dag &dag, const Kernel &kernel, const Member &member);

// Whether a band is an update's that runs its reduction, or the outermost loop of it, outside its
// threads.
inline bool has_own_loop(const Band &threads) {
    return threads.loop.valid() && threads.loop.update == threads.stage;
}

// Whether loop `i` of the band's stage is one of those outside its threads.
bool is_outside_threads(const Dag &dag, const Band &threads, size_t i);

// The loop of a Func's own reduction that goes with that place; invalid if the Func may have none.
BlockLoop own_loop(const Dag &dag, FuncId func, Place place);

// The loop in which all of a Func is computed that is computed in the kernel; invalid if none is.
BlockLoop loop_around(const Dag &dag, const Kernel &kernel, FuncId func);

// The place in a block that goes with a loop (Member::loop), which may be invalid.
Place place_in_block(const Dag &dag, FuncId func, BlockLoop loop);

// The same of a Func for which compute_in_block (scheduler/nest/edit.h) is given a loop: its own
// update's is not around it.
BlockLoop loop_around(const Dag &dag, FuncId func, BlockLoop loop);

// The loops of a kernel, in execution order.
std::vector<BlockLoop> loops_of(const Kernel &kernel);

bool is_inlined(const Kernel &kernel, FuncId func);

// Whether a stage reads a Func itself or through what is inlined into it.
bool reads(const Dag &dag, const Kernel &kernel, StageId stage, FuncId func);

// Whether blocks or threads share a loop of a stage of the kernel, at which they must meet in
// atomic operations. `threads`: the stage's band.
bool is_shared_reduction(const Dag &dag, const Kernel &kernel, const Band &threads, size_t loop);
bool uses_atomics(const Dag &dag, const Kernel &kernel, const Band &threads);
// Whether something may be computed in those threads: there is a loop to name, whose iterations no
// other thread shares, and each thread's points are neighbours.
bool may_hold_more(const Dag &dag, const Kernel &kernel, const Band &threads);
// Whether it is the kernel's own Func or computed in its blocks or threads.
bool is_computed_in(const Dag &dag, const Kernel &kernel, FuncId func);

// The number of a block along a loop that is away from the edges; of two, the first, for the last
// may be cut off.
int64_t block_in_the_middle(const Kernel &kernel, size_t loop);

// Threads per block: the per-dimension maximum over the thread bands, as Halide launches them
// (src/halide/README.md, 'Threads per block').
ThreadExtents block_size(const Kernel &kernel);
ThreadExtents thread_extents(const Band &thread_band);
// As many of a band's threads as run, along its axes: of flat ones fewer than the rectangle has in
// which they lie.
ThreadExtents trips_of_axes(const Band &thread_band);

// Whether it is that of a stage at root whose threads go on along a row (Rest::threads).
bool walks_rows(const Band &innermost);

// Whether an innermost loop of a stage in a block runs over all of a dimension whose extent
// parameters decide (Dimension::is_set_by_parameters). How often is known at run time only; its
// trip count is that at the estimates.
bool is_set_by_parameters(const Dag &dag, const Band &innermost, size_t loop);

// Which loops of an innermost band are unrolled. Arrays live in registers only when every loop
// that indexes them is unrolled (src/halide/README.md, 'Arrays of a thread'): the loops of the tile
// are, up to kUnrollLimit iterations in all, and constant reduction loops, innermost first, while
// the product stays within kReductionUnrollLimit (what is gained there is less, and the code grows
// as much), or kUnrollLimit where arrays are read. A reduction loop of more than a few iterations,
// each of which has a condition to meet, stays a loop where none are read. The band may stop short
// of that (Unroll). Of the first reduction loop that stays one, `Band::steps` iterations are
// written out, so that their loads are on their way together. The loops of a tile end before one
// that is_set_by_parameters.
inline constexpr int64_t kUnrollLimit = 64;
inline constexpr int64_t kReductionUnrollLimit = 32;
class UnrolledLoops {
public:
    UnrolledLoops(const Dag &dag, const Band &innermost);

    // Iterations that are written out one after the other: all, some, or one.
    int64_t operator[](size_t loop) const {
        if (is_whole(loop)) return band_.trips[loop];
        return loop == stepped_ ? band_.steps : 1;
    }
    // Whether these are all: the loop is gone.
    bool is_whole(size_t loop) const {
        return loop < (stage_.loops[loop].parallel ? end_of_tile_ : end_of_reduction_);
    }
    // The loop that Band::steps is about: the first reduction loop that is left, or that along a
    // row; none, if all are gone or the tile is a loop.
    std::optional<size_t> stepped() const;
    // Iterations that are written out, of all loops.
    int64_t points() const;

private:
    static constexpr size_t kNone = static_cast<size_t>(-1);

    const Stage &stage_;
    const Band &band_;
    size_t end_of_tile_ = 0, end_of_reduction_ = 0;  // of the loops of each kind, by index
    size_t stepped_ = kNone;
};

// Values of Band::steps that a stage of the kernel may have, ascending powers of two from 1: the
// code of a pass stays within kReductionUnrollLimit. Only 1 where the loop is shared by atomics or
// has a condition that reads data.
std::vector<int64_t> possible_steps(const Dag &dag, const Kernel &kernel, StageId stage);

// What makes a difference for an innermost band, ascending: of those that unroll the same loops the
// greatest, so that `all` is always there.
std::vector<Unroll> differing_unrolls(const Dag &dag, const Band &innermost);

// The order of an innermost band's loops, innermost first: tile loops inside reduction loops, so
// that a tile of accumulators shares each load (Anderson 2021 §6.2). Of sums in global memory, the
// terms of a point that are written out follow each other instead: the guard around a point that
// may be beyond the edge would otherwise stand around each term, and no sum would stay in a
// register.
std::vector<size_t> serial_order(const Dag &dag, const Band &innermost);

// True if the output may be smaller than one tile at run time. Images are often a little smaller
// than estimated, so this holds when the tile covers more than half of a dimension that is neither
// fixed nor an image's channels.
inline constexpr int64_t kLeastImageExtent = 64;
bool covers_most(const Dag &dag, const Kernel &kernel);

// How many stages the kernel computes, those that are inlined into it among them.
size_t count_stages(const Kernel &kernel);

// True if the kernel computes nothing but its own Func.
bool is_alone(const Kernel &kernel);

// True if Halide must know how much is computed in the kernel's blocks, or in threads that compute
// several points, for something is computed there.
bool needs_full_tiles(const Kernel &kernel);

// True if a stage's split loops end in a guard (`if (x < extent)`) and not in a shifted tile.
// Extents behind a guard are not constant for Halide (src/halide/README.md, 'Extents behind a
// guard'). A shifted tile is right only where the loop covers at least a tile. That is known for
// the only stage of a Func, whose loops cover the Func's region; with updates the pure definition
// may cover much less of it, and what covers_most may be larger than the region.
bool is_guarded(const Dag &dag, const Kernel &kernel);

// Whether, in a kernel whose other tiles may be shifted, those of that loop of its stage are
// aligned (Kernel::aligned) and the last one ends in a guard.
bool is_aligned(const Dag &dag, const Kernel &kernel, size_t loop);

// The text form, for tests and reports; `parse_nest` (scheduler/nest/text.h) reads it back.
std::string to_text(const Dag &dag, const Nest &nest);
std::string to_text(const Dag &dag, const Kernel &kernel);

}  // namespace autoschedule_gpu
