#include "scheduler/schedule/write/root_splits.h"

#include <utility>

#include "scheduler/nest/launch.h"
#include "scheduler/nest/regions.h"
#include "scheduler/schedule/write/loop_names.h"

namespace autoschedule_gpu::writing {

namespace {

// Of an output no more may be computed than is asked for.
TailStrategy aligned_tail(const Dag &dag, const Kernel &kernel) {
    const bool is_output = dag.func_of(kernel.stage).is_output();
    return is_output ? TailStrategy::guard_with_if : TailStrategy::round_up;
}

// From the outside in: of two guards Halide can't tell that they end within the tile. The guard
// that may get lost so (src/halide/README.md) is that of a region with a complicated end; an output
// that nobody reads ends where its buffer does.
void split_aligned(DirectiveList &out, StageId id, size_t i, const LoopTile &tile,
                   const StageLoops &loops, TailStrategy tail) {
    const LoopRef whole = original(out.dag(), id, i), rest = made(out.dag(), id, i, "i");
    out.split(id, whole, *loops.block[i], rest, tile.points(), tail);
    if (tile.rest == Rest::spread) {
        out.split(id, rest, *loops.serial[i], *loops.thread[i], tile.threads,
                  TailStrategy::automatic);
    } else {
        out.split(id, rest, *loops.thread[i], *loops.serial[i], tile.serial,
                  TailStrategy::automatic);
    }
}

// In blocks, in their tiles, in threads.
void split_walk(DirectiveList &out, StageId id, size_t i, const LoopTile &tile,
                const StageLoops &loops, TailStrategy tail) {
    const LoopRef whole = original(out.dag(), id, i), rest = made(out.dag(), id, i, "i");
    const bool twice = loops.thread[i] && loops.serial[i];
    const LoopRef points = twice             ? made(out.dag(), id, i, "q")
                           : loops.thread[i] ? *loops.thread[i]
                                             : *loops.serial[i];
    out.split(id, whole, *loops.block[i], rest, tile.block_points(), tail);
    out.split(id, rest, *loops.walk[i], points, tile.points(), TailStrategy::automatic);
    if (!twice) return;
    out.split(id, points, *loops.thread[i], *loops.serial[i], tile.serial, TailStrategy::automatic);
}

// A guarded loop is split from the inside out: Halide loses the guard of a loop whose inner part is
// split once more (src/halide/README.md).
void split_twice(DirectiveList &out, StageId id, size_t i, const LoopTile &tile,
                 const StageLoops &loops, TailStrategy tail) {
    const LoopRef whole = original(out.dag(), id, i), rest = made(out.dag(), id, i, "i");
    const LoopRef &block = *loops.block[i];
    LoopRef outer = *loops.thread[i], inner = *loops.serial[i];
    int64_t outer_factor = tile.threads, inner_factor = tile.serial;
    if (tile.atomic || tile.rest == Rest::spread) {
        std::swap(outer, inner);
        std::swap(outer_factor, inner_factor);
    }
    if (tail == TailStrategy::guard_with_if) {
        out.split(id, whole, rest, inner, inner_factor, tail);
        out.split(id, rest, block, outer, outer_factor, tail);
    } else {
        out.split(id, whole, block, rest, tile.points(), tail);
        out.split(id, rest, outer, inner, inner_factor, tail);
    }
}

}  // namespace

void split_root_loops(DirectiveList &out, const Kernel &kernel, const Tiling &tiling,
                      const StageLoops &loops, TailStrategy tail_of_others) {
    const Dag &dag = out.dag();
    const StageId id = kernel.stage;
    for (size_t i = 0; i < tiling.size(); ++i) {
        const LoopTile &tile = tiling[i];
        const bool aligned = is_aligned(dag, kernel, i);
        const TailStrategy tail = aligned ? aligned_tail(dag, kernel) : tail_of_others;
        if (tile.rest == Rest::threads && loops.thread[i]) {
            out.split(id, original(dag, id, i), *loops.serial[i], *loops.thread[i], tile.threads,
                      TailStrategy::guard_with_if);
        }
        if (!loops.block[i] || loops.block[i]->is_original()) continue;
        if (loops.walk[i]) {
            split_walk(out, id, i, tile, loops, tail);
        } else if (loops.thread[i] && loops.serial[i] && aligned) {
            split_aligned(out, id, i, tile, loops, tail);
        } else if (loops.thread[i] && loops.serial[i]) {
            split_twice(out, id, i, tile, loops, tail);
        } else {
            out.split(id, original(dag, id, i), *loops.block[i],
                      loops.thread[i] ? *loops.thread[i] : *loops.serial[i], tile.points(), tail);
        }
    }
}

void split_shared_loops(DirectiveList &out, const Kernel &kernel, const StageLoops &loops) {
    const Dag &dag = out.dag();
    const StageId id = kernel.stage;
    for (size_t i = 0; i < kernel.tiling.size(); ++i) {
        if (!loops.block[i]) continue;
        const LoopTile &tile = kernel.tiling[i];
        const TailStrategy tail = is_guarded(dag, kernel)     ? TailStrategy::guard_with_if
                                  : rounds_up(dag, kernel, i) ? TailStrategy::round_up
                                                              : TailStrategy::shift_inwards;
        LoopRef rest = original(dag, id, i);
        if (loops.thread[i]) {
            const LoopRef further = made(dag, id, i, "i");
            out.split(id, rest, further, *loops.serial[i], tile.serial, tail);
            rest = further;
        }
        const LoopRef &inner = loops.thread[i] ? *loops.thread[i] : *loops.serial[i];
        const int64_t factor = loops.thread[i] ? tile.threads : tile.serial;
        out.split(id, rest, *loops.block[i], inner, factor, tail);
    }
}

}  // namespace autoschedule_gpu::writing
