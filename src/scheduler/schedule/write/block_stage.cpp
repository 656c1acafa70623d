#include "scheduler/schedule/write/block_stage.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "scheduler/nest/full_tiles.h"
#include "scheduler/nest/regions.h"
#include "scheduler/nest/sliding.h"
#include "scheduler/schedule/write/loop_names.h"
#include "scheduler/schedule/write/stage_loops.h"
#include "scheduler/schedule/write/unrolling.h"
#include "scheduler/schedule/write/vectors.h"

namespace autoschedule_gpu::writing {

namespace {

// A shifted tile covers at least the tile. Of a region whose size Halide finds only at run time a
// block may need less (the last one, where a guard cuts it short), and what is computed beyond
// would be read beyond the inputs.
TailStrategy tail_in_block(const Dag &dag, const Kernel &kernel, StageId id) {
    const FuncId func = dag.stage(id).func;
    const bool shifts =
        dag.stage(id).index == 0 &&
        extents_in_block(dag, kernel, func, loop_around(dag, kernel, func)).has_value();
    return shifts ? TailStrategy::shift_inwards : TailStrategy::guard_with_if;
}

// What a step adds along that loop.
int64_t fresh_points(const Dag &dag, const Kernel &kernel, StageId id, size_t loop) {
    const FuncId func = dag.stage(id).func;
    const int dim = dag.stage(id).loops[loop].dim;
    return fresh_extents(dag, kernel, func, *extents_in_block(dag, kernel, func))[dim];
}

// Before its first tile a walk may need fewer points than a step adds. Others before them make up
// for it: Halide would not use storage as a ring otherwise (src/halide/README.md, 'Sliding
// windows').
void split_step(DirectiveList &out, const Kernel &kernel, const Band &threads,
                const StageLoops &loops, size_t i) {
    const Dag &dag = out.dag();
    const StageId id = threads.stage;
    const Band &inner = *threads.body.back();
    const LoopRef points = loops.thread[i] ? made(dag, id, i, "q") : *loops.serial[i];
    out.split(id, original(dag, id, i), *loops.walk[i], points, fresh_points(dag, kernel, id, i),
              TailStrategy::shift_inwards);
    if (!loops.thread[i]) return;
    const bool strides = inner.level == Level::strided;
    const LoopRef &thread = *loops.thread[i], &serial = *loops.serial[i];
    out.split(id, points, strides ? serial : thread, strides ? thread : serial,
              strides ? threads.trips[i] : inner.trips[i], TailStrategy::guard_with_if);
}

void split_in_block(DirectiveList &out, const Band &threads, const StageLoops &loops, size_t i,
                    TailStrategy tail) {
    const Dag &dag = out.dag();
    const StageId id = threads.stage;
    const Band &inner = *threads.body.back();
    if (!loops.thread[i]) return;
    LoopRef points = original(dag, id, i);
    const bool strides = inner.level == Level::strided || !dag.stage(id).loops[i].parallel;
    if (loops.serial[i] && !strides) {
        const LoopRef outer = loops.again[i] ? made(dag, id, i, "i") : *loops.thread[i];
        out.split(id, points, outer, *loops.serial[i], inner.trips[i], tail);
        points = outer;
    }
    const bool repeats = strides && loops.serial[i];
    const std::optional<LoopRef> &outer = repeats ? loops.serial[i] : loops.again[i];
    if (!outer) return;
    out.split(id, points, *outer, *loops.thread[i], threads.trips[i], TailStrategy::guard_with_if);
}

// The points of a stage that holds nothing itself.
bool may_have_a_thread_each(const Dag &dag, const Kernel &kernel, const Band &threads,
                            const StageLoops &loops, size_t i) {
    const bool is_split = loops.thread[i] && loops.serial[i];
    return is_split && threads.body.size() == 1 && dag.stage(threads.stage).loops[i].parallel &&
           has_threads_for_all_points(dag, kernel);
}

// In one step, for one point of the kernel.
void compute_whole_region(const Dag &dag, StageId id, StageLoops &loops, size_t i) {
    loops.walk[i].reset();
    std::optional<LoopRef> &loop = loops.thread[i] ? loops.thread[i] : loops.serial[i];
    loops.serial[i].reset();
    loop = original(dag, id, i);
}

bool may_go_around_threads(const Dag &dag, const Band &threads, const StageLoops &loops, size_t i) {
    const bool holds_more = threads.body.size() > 1;
    return holds_more && loops.thread[i] && loops.serial[i] && threads.body.back()->trips[i] > 1 &&
           dag.stage(threads.stage).loops[i].parallel;
}

// One point per thread, again and again: of several points, of which some lie behind a guard,
// Halide does not see how much is computed for them (src/halide/README.md, 'Sizes of private
// memory').
void split_around_threads(DirectiveList &out, const Band &threads, StageLoops &loops, size_t i) {
    const StageId id = threads.stage;
    out.split(id, original(out.dag(), id, i), *loops.serial[i], *loops.thread[i], threads.trips[i],
              TailStrategy::guard_with_if);
    std::swap(loops.outside[i], loops.serial[i]);
    loops.again[i].reset();
}

void split_loops(DirectiveList &out, const Kernel &kernel, const Band &threads, StageLoops &loops,
                 Tiles tiles) {
    const Dag &dag = out.dag();
    const bool full = tiles == Tiles::full;
    const TailStrategy tail =
        full ? tail_in_block(dag, kernel, threads.stage) : TailStrategy::guard_with_if;
    for (size_t i = 0; i < threads.body.back()->trips.size(); ++i) {
        if (!full && (loops.walk[i] || may_have_a_thread_each(dag, kernel, threads, loops, i))) {
            compute_whole_region(dag, threads.stage, loops, i);
        } else if (loops.walk[i]) {
            split_step(out, kernel, threads, loops, i);
        } else if (!full && may_go_around_threads(dag, threads, loops, i)) {
            split_around_threads(out, threads, loops, i);
        } else {
            split_in_block(out, threads, loops, i, tail);
        }
    }
}

// Makes one loop of those over flat threads, and of that rows and planes of threads.
void lay_in_rows(DirectiveList &out, const Band &threads, std::vector<LoopRef> &loops) {
    const StageId id = threads.stage;
    while (loops.size() > 1) out.fuse_last_two(id, loops);
    const ThreadExtents &shape = threads.shape;
    const auto cut = [&](int64_t factor) {
        const LoopRef whole = loops.back();
        loops.back() = LoopRef::made(whole.name + "_r");
        loops.push_back(LoopRef::made(whole.name + "_n"));
        out.split(id, whole, loops.back(), loops[loops.size() - 2], factor,
                  TailStrategy::guard_with_if);
    };
    if (shape.y > 1) cut(shape.x);
    if (shape.z > 1) cut(shape.y);
}

// Whether one thread runs all iterations of a loop, and nobody computes anything in it.
bool runs_alone(const Band &inner, const StageLoops &loops) {
    const auto is_loop = [](const std::optional<LoopRef> &loop) { return loop.has_value(); };
    return std::ranges::none_of(loops.outside, is_loop) &&
           std::ranges::any_of(inner.trips, [](int64_t trips) { return trips > 1; });
}

// A loop of one iteration around the others: without a thread, Halide takes each iteration, and
// each step that is written out, for one of the block, and puts a barrier after it.
void write_single_thread(DirectiveList &out, StageId id) {
    const LoopRef thread = single_thread(out.dag(), id);
    out.split(id, LoopRef::outermost(), LoopRef::outermost(), thread, 1, TailStrategy::automatic);
    out.add(id, DirectiveOp::gpu_threads).loops = {thread};
}

}  // namespace

void write_block_stage(DirectiveList &out, const Kernel &kernel, const Band &threads, Tiles tiles) {
    const Dag &dag = out.dag();
    const StageId id = threads.stage;
    const Band &inner = *threads.body.back();
    StageLoops loops = block_level_loops(dag, kernel, threads);
    if (uses_atomics(dag, kernel, threads)) out.add(id, DirectiveOp::atomic);
    split_loops(out, kernel, threads, loops, tiles);
    split_steps(out, inner, loops, tiles);
    std::vector<LoopRef> thread = thread_loops(threads, loops);
    if (threads.flat) lay_in_rows(out, threads, thread);
    std::vector<LoopRef> order = serial_loops(dag, inner, loops);
    append(order, loops.again);
    order.insert(order.end(), thread.begin(), thread.end());
    append(order, loops.outside);
    append(order, loops.walk);
    out.reorder(id, std::move(order));
    const std::optional<LoopRef> channels = take_channels(dag, kernel, id, loops, tiles);
    unroll(out, inner, loops, tiles);
    for (const std::optional<LoopRef> &loop : loops.walk) {
        if (loop) out.add(id, DirectiveOp::unroll).loops = {*loop};
    }
    if (!thread.empty()) {
        out.add(id, DirectiveOp::gpu_threads).loops = thread;
    } else if (runs_alone(inner, loops)) {
        write_single_thread(out, id);
    }
    if (channels) out.add(id, DirectiveOp::vectorize).loops = {*channels};
}

}  // namespace autoschedule_gpu::writing
