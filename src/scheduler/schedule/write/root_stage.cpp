#include "scheduler/schedule/write/root_stage.h"

#include <optional>
#include <utility>
#include <vector>

#include "scheduler/nest/loads_ahead.h"
#include "scheduler/nest/multiples.h"
#include "scheduler/schedule/write/any_size.h"
#include "scheduler/schedule/write/branches.h"
#include "scheduler/schedule/write/loop_names.h"
#include "scheduler/schedule/write/root_splits.h"
#include "scheduler/schedule/write/sites.h"
#include "scheduler/schedule/write/stage_loops.h"
#include "scheduler/schedule/write/steps_of_copies.h"
#include "scheduler/schedule/write/unrolling.h"
#include "scheduler/schedule/write/vectors.h"

namespace autoschedule_gpu::writing {

namespace {

// Around all loops, which have their order: none is brought beside it any more.
void make_single_block(DirectiveList &out, StageId id) {
    const LoopRef block = single_block(out.dag(), id);
    out.split(id, LoopRef::outermost(), LoopRef::outermost(), block, 1, TailStrategy::automatic);
    out.add(id, DirectiveOp::gpu_blocks).loops = {block};
}

// No loop of the stage is one of blocks. Where something else is computed in the only block, that
// needs a loop to be computed in.
void write_single_block(DirectiveList &out, const Kernel &kernel) {
    const StageId id = kernel.stage;
    if (is_alone(kernel)) {
        out.add(id, DirectiveOp::gpu_single_thread);
        return;
    }
    make_single_block(out, id);
}

// The blocks of a launch with others are one loop.
std::vector<LoopRef> split_in_launch(DirectiveList &out, const Kernel &kernel,
                                     const StageLoops &loops, std::vector<LoopRef> blocks) {
    split_shared_loops(out, kernel, loops);
    while (blocks.size() > 2) out.fuse_last_two(kernel.stage, blocks);
    if (blocks.size() < 2) return blocks;
    const LoopRef all = shared_blocks(out.dag(), kernel.stage);
    out.fuse(kernel.stage, blocks[0], blocks[1], all);
    return {all};
}

// Returns the loops over blocks, which were `blocks`.
std::vector<LoopRef> split_into_blocks(DirectiveList &out, const Kernel &kernel, StageLoops &loops,
                                       std::vector<LoopRef> blocks, Tiles tiles) {
    if (kernel.with.valid()) return split_in_launch(out, kernel, loops, std::move(blocks));
    if (tiles == Tiles::any) return split_for_any_size(out, kernel, loops, std::move(blocks));
    const bool shifts = !is_guarded(out.dag(), kernel);
    split_root_loops(out, kernel, kernel.tiling, loops,
                     shifts ? TailStrategy::shift_inwards : TailStrategy::guard_with_if);
    while (blocks.size() > 3) out.fuse_last_two(kernel.stage, blocks);
    return blocks;
}

// The last of a stage's directives, as those of vectors are, of which there are none then.
void repeat_for_multiples(DirectiveList &out, const Kernel &kernel) {
    std::vector<int64_t> numbers = multiples(out.dag(), kernel);
    if (numbers.empty()) return;
    Directive &repeat = out.add(kernel.stage, DirectiveOp::repeat_for_multiples);
    repeat.site_func = out.dag().func_of(kernel.stage).halide_index;
    repeat.multiples = std::move(numbers);
}

// The kernel in the launch of another, from which it takes its blocks.
void compute_with(DirectiveList &out, const Nest &nest, const Kernel &kernel) {
    const Kernel &first = *home_of(nest, kernel.with).kernel;
    out.set_site(out.add(kernel.stage, DirectiveOp::compute_with), first.stage,
                 block_site(out.dag(), first));
}

// Returns how many loops there are. `full_loops`: how many there are with full tiles, when other
// sizes are written.
size_t write_for_tiles(DirectiveList &out, const Nest &nest, StageId id, Tiles tiles,
                       size_t full_loops) {
    const Dag &dag = out.dag();
    const Home home = home_of(nest, id);
    const Kernel &kernel = *home.kernel;
    const Band &inner = *home.threads->body.back();
    StageLoops loops = root_loops(dag, kernel);
    if (uses_atomics(dag, kernel, *home.threads)) out.add(id, DirectiveOp::atomic);
    std::vector<LoopRef> blocks = block_loops(dag, kernel, loops);
    const std::vector<LoopRef> threads = thread_loops(*home.threads, loops);
    if (blocks.empty()) {
        split_steps(out, inner, loops, tiles);
        out.reorder(id, serial_loops(dag, inner, loops));
        unroll(out, inner, loops, tiles);
        write_single_block(out, kernel);
        return 0;
    }
    const bool fuses = blocks.size() > 3;
    blocks = split_into_blocks(out, kernel, loops, std::move(blocks), tiles);
    const std::optional<LoadsAhead> ahead = loads_ahead(dag, kernel, id);
    if (!ahead) split_steps(out, inner, loops, tiles);  // of a loop that was made just now, maybe
    std::vector<LoopRef> order = serial_loops(dag, inner, loops);
    if (tiles == Tiles::full) bring_channels_inside(dag, kernel, loops, order);
    order.insert(order.end(), threads.begin(), threads.end());
    append(order, loops.walk);
    if (tiles == Tiles::any && fuses && !blocks.empty()) {
        keep_unguarded(out, kernel, full_loops, order, blocks);
    }
    order.insert(order.end(), blocks.begin(), blocks.end());
    const size_t count = order.size();
    out.reorder(id, std::move(order));
    const std::optional<LoopRef> channels = take_channels(dag, kernel, id, loops, tiles);
    unroll(out, inner, loops, tiles);
    if (blocks.empty()) {
        make_single_block(out, id);
    } else {
        out.add(id, DirectiveOp::gpu_blocks).loops = std::move(blocks);
    }
    if (!threads.empty()) out.add(id, DirectiveOp::gpu_threads).loops = threads;
    if (channels) out.add(id, DirectiveOp::vectorize).loops = {*channels};
    vectorize_rows(out, kernel, id, loops, tiles);
    vectorize_pixels(out, kernel, loops, tiles);
    if (ahead) write_steps_ahead(out, id, *ahead, tiles);
    if (tiles == Tiles::full) repeat_for_multiples(out, kernel);
    if (kernel.with.valid() && kernel.with != id) compute_with(out, nest, kernel);
    return count;
}

}  // namespace

void write_root_stage(DirectiveList &out, const Nest &nest, StageId stage) {
    size_t full_loops = 0;  // full tiles come first
    write_branches(out, *home_of(nest, stage).kernel, stage, [&](Tiles tiles) {
        full_loops = write_for_tiles(out, nest, stage, tiles, full_loops);
    });
}

}  // namespace autoschedule_gpu::writing
