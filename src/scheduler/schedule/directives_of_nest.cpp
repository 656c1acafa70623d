#include "scheduler/schedule/directives_of_nest.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/dag/storage_order.h"
#include "scheduler/nest/channel_vectors.h"
#include "scheduler/nest/full_tiles.h"
#include "scheduler/nest/launch.h"
#include "scheduler/nest/multiples.h"
#include "scheduler/nest/pixel_vectors.h"
#include "scheduler/nest/regions.h"
#include "scheduler/nest/shared_storage.h"
#include "scheduler/nest/sliding.h"
#include "scheduler/nest/step_vectors.h"
#include "scheduler/nest/vectors.h"
#include "scheduler/schedule/stage_kind.h"

namespace autoschedule_gpu {

namespace {

// A stage's loops under construction: what stands for each original loop at each level. `outside`:
// between blocks and threads.
struct StageLoops {
    std::vector<std::optional<LoopRef>> block, outside, thread, serial;
    // Of a reduction loop of which some iterations are written out, those.
    std::vector<std::optional<LoopRef>> steps;
    // Of threads that run again, over what is left of a region whose size is known at run time
    // only. No launch may have threads of such a number: Halide takes the most of any block without
    // knowing how the ends of a region belong together, be it more than a device has.
    std::vector<std::optional<LoopRef>> again;
    // Around the threads of a block that walks: over its tiles; of a Func that slides along, over
    // what a step adds.
    std::vector<std::optional<LoopRef>> walk;
};

// For which sizes a stage is written. For other sizes than those of full tiles the grid has one
// dimension, of which it holds most, and code is small, for that is seldom.
enum class Tiles : uint8_t { full, any };

// Of parts of a reduction, those that y of such a grid has; z has the rest of them.
constexpr int64_t kPartsSideBySide = 1024;

class DirectiveWriter {
public:
    DirectiveWriter(const Dag &dag, const Nest &nest) : dag_(dag), nest_(nest) {
        for (size_t i = 0; i < dag.funcs.size(); ++i) {
            const Func &func = dag.funcs[i];
            // Numbers of wrappers that nobody makes are free, so that a schedule is the same
            // whatever else could have been staged.
            if (func.wraps.valid() && !is_made(FuncId(i))) continue;
            next_copy_ = std::max(next_copy_, func.halide_index + 1);
        }
        for (const KernelPtr &kernel : nest.kernels) list_moved_by_channels(*kernel);
    }

    Schedule write() {
        for (size_t i = 0; i < dag_.funcs.size(); ++i) make_wrapper(FuncId(i));
        for (size_t i = 0; i < dag_.funcs.size(); ++i) write_func(FuncId(i));
        return std::move(out_);
    }

private:
    // Where a stage was found: its kernel, and the thread band in whose subtree it runs.
    struct Home {
        const Kernel *kernel = nullptr;
        const Band *threads = nullptr;
    };

    void list_moved_by_channels(const Kernel &kernel) {
        for (const Band *threads : thread_bands(kernel)) {
            for (const Band *inner : innermost_bands(*threads)) {
                const std::optional<ChannelVector> vector =
                    channel_vector(dag_, kernel, inner->stage);
                if (!vector) continue;
                moved_by_channels_.insert(moved_by_channels_.end(), vector->reads.begin(),
                                          vector->reads.end());
                if (vector->is_stored) {
                    moved_by_channels_.push_back(dag_.stage(inner->stage).func);
                }
            }
        }
    }

    Home find(StageId stage) const {
        for (const KernelPtr &kernel : nest_.kernels) {
            if (kernel->on_host && kernel->stage == stage) return {kernel.get(), nullptr};
            for (const Band *threads : thread_bands(*kernel)) {
                for (const Band *inner : innermost_bands(*threads)) {
                    if (inner->stage == stage) return {kernel.get(), threads};
                }
            }
        }
        return {};
    }

    // An inlined wrapper is needed only by another that wraps it.
    bool is_made(FuncId wrapper) const {
        if (nest_.place(wrapper) != Place::inlined) return true;
        for (size_t i = wrapper.index() + 1; i < dag_.funcs.size(); ++i) {
            if (dag_.funcs[i].wraps == wrapper && is_made(FuncId(i))) return true;
        }
        return false;
    }

    // Wrappers come first: others may be computed in their loops. Those that users have made are
    // found by the call that would make them.
    void make_wrapper(FuncId id) {
        const Func &func = dag_.func(id);
        if (func.users_wrapper_of.valid()) {
            write_in(id, func.users_wrapper_of, func.users_wrapper_for);
        } else if (func.wraps.valid() && is_made(id)) {
            write_in(id, func.wraps, func.reader);
        }
    }

    void write_in(FuncId wrapper, FuncId wrapped, FuncId reader) {
        Directive &in = add(wrapper, DirectiveOp::in);
        in.wrapped_func = dag_.func(wrapped).halide_index;
        if (reader.valid()) in.reader_func = dag_.func(reader).halide_index;
    }

    void write_func(FuncId id) {
        const Func &func = dag_.func(id);
        const Place placement = nest_.place(id);
        if (func.is_input() || placement == Place::inlined) return;
        if (func.ours == Func::Ours::nothing) return;
        if (placement == Place::root) {
            if (func.ours == Func::Ours::all) add(id, DirectiveOp::compute_root);
            if (func.stored_first >= 0) reorder_storage(id, storage_order(func));
            if (is_moved_by_channels(id)) bound_channels(id);
            for (StageId stage : func.stages) {
                const Kernel &kernel = *find(stage).kernel;
                if (kernel.on_host) {
                    write_settings(kernel, stage, Branch::otherwise);
                } else {
                    write_branches(kernel, stage,
                                   [&](Tiles tiles) { write_root_stage(stage, tiles); });
                }
            }
            return;
        }
        const Home home = find(func.stages[0]);
        const bool per_block = home.threads->stage == func.stages[0];
        if (!per_block) {
            compute_at(id, home.threads->stage, thread_site(*home.kernel, *home.threads));
        } else if (home.threads->loop.valid()) {
            compute_at(id, home.threads->loop.update, loop_site(home.threads->loop));
        } else if (const std::optional<LoopRef> walk = walk_site(*home.kernel)) {
            place_at(DirectiveOp::store_at, id, home.kernel->stage, block_site(*home.kernel));
            compute_at(id, home.kernel->stage, *walk);
        } else {
            compute_at(id, home.kernel->stage, block_site(*home.kernel));
        }
        store(id, *home.kernel);
        if (const std::optional<int> dim = channels_of_member(id, *home.kernel)) {
            reorder_storage(id, dimensions_from(func, *dim));
        }
        write_step_copies(id);
        if (home.kernel->aligned && dag_.func_of(home.kernel->stage).is_output()) bound(id, home);
        for (StageId stage : func.stages) {
            const Home here = find(stage);
            write_branches(*here.kernel, stage, [&](Tiles tiles) {
                if (per_block) {
                    write_block_level_stage(*here.kernel, *here.threads, tiles);
                } else {
                    write_thread_level_stage(*here.kernel, *here.threads, stage, tiles);
                }
            });
        }
    }

    void reorder_storage(FuncId id, const std::vector<int> &order) {
        if (order.size() < 2) return;
        Directive &reorder = add(id, DirectiveOp::reorder_storage);
        for (const int dim : order) reorder.loops.push_back(dimension(id, dim));
    }

    LoopRef dimension(FuncId id, int dim) const {
        const StageId pure = dag_.func(id).stages[0];
        const std::vector<Loop> &loops = dag_.stage(pure).loops;
        const auto loop = std::ranges::find(loops, dim, &Loop::dim);
        return original(pure, static_cast<size_t>(loop - loops.begin()));
    }

    // Whether some thread loads or stores all points of the Func's innermost dimension at once.
    bool is_moved_by_channels(FuncId id) const {
        return std::ranges::find(moved_by_channels_, id) != moved_by_channels_.end();
    }

    // So that the distances along all other dimensions are multiples of what is loaded at once.
    void bound_channels(FuncId id) {
        const Func &func = dag_.func(id);
        const int dim = innermost_dimension(func);
        const Dimension &channels = func.dims[static_cast<size_t>(dim)];
        if (channels.promised) return;
        Directive &bound = add(id, DirectiveOp::bound_extent);
        bound.loops = {dimension(id, dim)};
        bound.factor = channels.estimate.extent();
    }

    // The dimension that is innermost in memory of a Func in the kernel, if not the first.
    std::optional<int> channels_of_member(FuncId id, const Kernel &kernel) const {
        const StageId pure = dag_.func(id).stages[0];
        if (find_threads(kernel, pure) != nullptr) return channels_in_block(dag_, kernel, id);
        const auto channels = channel_vector(dag_, kernel, pure);
        if (!channels) return std::nullopt;
        return dag_.stage(pure).loops[channels->loop].dim;
    }

    void store(FuncId id, const Kernel &kernel) {
        const Func &func = dag_.func(id);
        const MemoryKind memory = find_innermost(kernel, func.stages[0])->memory;
        add(id, DirectiveOp::store_in).memory = memory;
        // A vector is a multiple of any element beside it.
        if (memory != MemoryKind::shared || channels_of_member(id, kernel)) return;
        const int64_t padded = find_threads(kernel, func.stages[0])->row;
        const int64_t row =
            padded ? padded : shared_row_alignment(func, widest_shared_element(dag_, kernel));
        if (row == 1) return;
        Directive &align = add(id, DirectiveOp::align_storage);
        align.loops = {original(func.stages[0], 0)};
        align.factor = row;
    }

    // The guards of aligned tiles hide how much is computed in them.
    void bound(FuncId id, const Home &home) {
        const Func &func = dag_.func(id);
        const Stage &pure = dag_.stage(func.stages[0]);
        KnownExtents hidden(func.dims.size());
        if (home.threads->stage == func.stages[0]) {
            hidden = hidden_in_block(dag_, *home.kernel, id, loop_around(dag_, *home.kernel, id));
        } else if (home.threads->stage == home.kernel->stage) {
            hidden = hidden_in_thread(dag_, *home.kernel, id);
        }
        for (size_t i = 0; i < pure.loops.size(); ++i) {
            const auto d = static_cast<size_t>(pure.loops[i].dim);
            if (!hidden[d] || func.dims[d].promised) continue;
            Directive &bound = add(id, DirectiveOp::bound_extent);
            bound.loops = {original(func.stages[0], i)};
            bound.factor = *hidden[d];
        }
    }

    // What kinds of decisions have to add that no field of a band tells.
    void write_settings(const Kernel &kernel, StageId stage, Branch branch) {
        for (const StageSetting &setting : kernel.settings) {
            if (setting.stage != stage) continue;
            for (Directive more : setting.kind->directives(dag_, kernel, stage)) {
                if (!is_func_level(more.op)) more.branch = branch;
                out_.push_back(std::move(more));
            }
        }
    }

    std::optional<FullTiles> branch_sizes(const Kernel &kernel, StageId stage) const {
        return kernel.stage == stage ? full_tiles(dag_, kernel)
                                     : full_tiles_around(dag_, kernel, stage);
    }

    // Writes a stage by write(Tiles), twice where tiles need not be full, and its settings.
    template <typename Write>
    void write_branches(const Kernel &kernel, StageId id, const Write &write) {
        const std::optional<FullTiles> sizes = branch_sizes(kernel, id);
        if (!sizes) {
            write(Tiles::full);
            return write_settings(kernel, id, Branch::otherwise);
        }
        Directive &specialize = add(id, DirectiveOp::specialize);
        specialize.site_func = dag_.func_of(kernel.stage).halide_index;
        specialize.least = sizes->least;
        specialize.most = sizes->most;
        branch_ = Branch::full_tiles;
        write(Tiles::full);
        branch_ = Branch::otherwise;
        write(Tiles::any);
        write_settings(kernel, id, Branch::full_tiles);
    }

    void compute_at(FuncId id, StageId site, LoopRef loop) {
        place_at(DirectiveOp::compute_at, id, site, std::move(loop));
    }

    void place_at(DirectiveOp op, FuncId id, StageId site, LoopRef loop) {
        Directive &at = add(id, op);
        at.site_func = dag_.func_of(site).halide_index;
        at.site_stage = dag_.stage(site).index;
        at.site_loop = std::move(loop);
    }

    // ---- one stage

    void write_root_stage(StageId id, Tiles tiles) {
        const Home home = find(id);
        const Kernel &kernel = *home.kernel;
        StageLoops loops = root_loops(kernel);
        const Band &inner = *home.threads->body.back();
        if (uses_atomics(dag_, kernel, *home.threads)) add(id, DirectiveOp::atomic);
        std::vector<LoopRef> blocks = block_loops(kernel, loops);
        const std::vector<LoopRef> threads = thread_loops(*home.threads, loops);
        if (blocks.empty()) {
            split_steps(inner, loops, tiles);
            reorder(id, serial_loops(inner, loops));
            unroll(inner, loops, tiles);
            write_single_block(kernel);
            return;
        }
        const bool fuses = blocks.size() > 3;
        if (kernel.with.valid()) {
            split_shared_loops(kernel, loops);
            while (blocks.size() > 2) fuse_last_two(id, blocks);
            if (blocks.size() == 2) {
                const LoopRef all = shared_blocks(id);
                add(id, DirectiveOp::fuse).loops = {blocks[0], blocks[1], all};
                blocks = {all};
            }
        } else if (tiles == Tiles::full) {
            const bool shifts = !is_guarded(dag_, kernel);
            split_root_loops(kernel, kernel.tiling, loops,
                             shifts ? TailStrategy::shift_inwards : TailStrategy::guard_with_if);
            while (blocks.size() > 3) fuse_last_two(id, blocks);
        } else {
            blocks = write_for_any_size(kernel, loops, blocks);
        }
        split_steps(inner, loops, tiles);  // which may be of a loop that was made just now
        std::vector<LoopRef> order = serial_loops(inner, loops);
        if (tiles == Tiles::full) bring_channels_inside(kernel, loops, order);
        order.insert(order.end(), threads.begin(), threads.end());
        for (const std::optional<LoopRef> &loop : loops.walk) {
            if (loop) order.push_back(*loop);
        }
        if (tiles == Tiles::any && fuses) keep_unguarded(kernel, order, blocks);
        order.insert(order.end(), blocks.begin(), blocks.end());
        if (tiles == Tiles::full) full_loops_ = order.size();
        reorder(id, std::move(order));
        const std::optional<LoopRef> channels = take_channels(kernel, id, loops, tiles);
        unroll(inner, loops, tiles);
        add(id, DirectiveOp::gpu_blocks).loops = std::move(blocks);
        if (!threads.empty()) add(id, DirectiveOp::gpu_threads).loops = threads;
        if (channels) add(id, DirectiveOp::vectorize).loops = {*channels};
        vectorize(kernel, id, loops, tiles);
        vectorize_pixels(kernel, loops, tiles);
        if (tiles == Tiles::full) repeat_for_multiples(kernel);
        if (kernel.with.valid() && kernel.with != id) compute_with(kernel);
    }

    // The loop that is a vector by which the stage is stored: it is not to be unrolled.
    std::optional<LoopRef> take_channels(const Kernel &kernel, StageId id, StageLoops &loops,
                                         Tiles tiles) const {
        const auto channels = channel_vector(dag_, kernel, id);
        if (!channels || tiles != Tiles::full) return std::nullopt;
        return std::exchange(loops.serial[channels->loop], std::nullopt);
    }

    // The kernel in the launch of another, from which it takes its blocks.
    void compute_with(const Kernel &kernel) {
        const Kernel &first = *find(kernel.with).kernel;
        Directive &with = add(kernel.stage, DirectiveOp::compute_with);
        with.site_func = dag_.func_of(first.stage).halide_index;
        with.site_stage = dag_.stage(first.stage).index;
        with.site_loop = block_site(first);
    }

    // The loop that several over blocks are fused to in a launch with others: it has one name,
    // whatever dimensions there are.
    LoopRef shared_blocks(StageId id) const { return fresh(dag_.stage(id), "blocks"); }

    // No loop of the stage is one of blocks. Where something else is computed in the only block,
    // that needs a loop to be computed in.
    void write_single_block(const Kernel &kernel) {
        const StageId id = kernel.stage;
        if (is_alone(kernel)) {
            add(id, DirectiveOp::gpu_single_thread);
            return;
        }
        const LoopRef block = single_block(id);
        split(id, LoopRef::outermost(), LoopRef::outermost(), block, 1, TailStrategy::automatic);
        add(id, DirectiveOp::gpu_blocks).loops = {block};
    }

    // A shifted tile covers at least the tile. Of a region whose size Halide finds only at run time
    // a block may need less (the last one, where a guard cuts it short), and what is computed
    // beyond would be read beyond the inputs.
    TailStrategy tail_in_block(const Kernel &kernel, StageId id) const {
        const FuncId func = dag_.stage(id).func;
        const bool shifts =
            dag_.stage(id).index == 0 &&
            extents_in_block(dag_, kernel, func, loop_around(dag_, kernel, func)).has_value();
        return shifts ? TailStrategy::shift_inwards : TailStrategy::guard_with_if;
    }

    // Before its first tile a walk may need fewer points than a step adds. Others before them make
    // up for it: Halide would not use storage as a ring otherwise (src/halide/README.md, 'Sliding
    // windows').
    void split_step(const Band &threads, const StageLoops &loops, size_t i) {
        const StageId id = threads.stage;
        const Band &inner = *threads.body.back();
        const LoopRef points = loops.thread[i] ? made(id, i, "q") : *loops.serial[i];
        split(id, original(id, i), *loops.walk[i], points, fresh_points(id, i),
              TailStrategy::shift_inwards);
        if (!loops.thread[i]) return;
        const bool strides = inner.level == Level::strided;
        const LoopRef &thread = *loops.thread[i], &serial = *loops.serial[i];
        split(id, points, strides ? serial : thread, strides ? thread : serial,
              strides ? threads.trips[i] : inner.trips[i], TailStrategy::guard_with_if);
    }

    // What a step adds along that loop.
    int64_t fresh_points(StageId id, size_t loop) const {
        const Kernel &kernel = *find(id).kernel;
        const FuncId func = dag_.stage(id).func;
        const int dim = dag_.stage(id).loops[loop].dim;
        return fresh_extents(dag_, kernel, func, *extents_in_block(dag_, kernel, func))[dim];
    }

    bool slides_along(const Kernel &kernel, StageId id, size_t loop) const {
        if (!walked_loop(kernel.tiling)) return false;
        const FuncId func = dag_.stage(id).func;
        const ConstantExtents extents = extents_in_block(dag_, kernel, func);
        const std::optional<Slide> slide =
            extents ? slide_of(dag_, kernel, func, *extents) : std::nullopt;
        return slide && dag_.stage(id).loops[loop].dim == static_cast<int>(slide->dim);
    }

    void write_block_level_stage(const Kernel &kernel, const Band &threads, Tiles tiles) {
        const StageId id = threads.stage;
        const Band &inner = *threads.body.back();
        StageLoops loops = block_level_loops(kernel, threads);
        if (uses_atomics(dag_, kernel, threads)) add(id, DirectiveOp::atomic);
        const TailStrategy tail =
            tiles == Tiles::full ? tail_in_block(kernel, id) : TailStrategy::guard_with_if;
        for (size_t i = 0; i < inner.trips.size(); ++i) {
            if (tiles == Tiles::any &&
                (loops.walk[i] || may_have_a_thread_each(threads, loops, i))) {
                compute_whole_region(id, loops, i);
            } else if (loops.walk[i]) {
                split_step(threads, loops, i);
            } else if (tiles == Tiles::any && may_go_around_threads(threads, loops, i)) {
                split_around_threads(threads, loops, i);
            } else {
                split_in_block(threads, loops, i, tail);
            }
        }
        split_steps(inner, loops, tiles);
        std::vector<LoopRef> thread = thread_loops(threads, loops);
        if (threads.flat) lay_in_rows(threads, thread);
        std::vector<LoopRef> order = serial_loops(inner, loops);
        for (const std::optional<LoopRef> &loop : loops.again) {
            if (loop) order.push_back(*loop);
        }
        order.insert(order.end(), thread.begin(), thread.end());
        for (const auto *outside : {&loops.outside, &loops.walk}) {
            for (const std::optional<LoopRef> &loop : *outside) {
                if (loop) order.push_back(*loop);
            }
        }
        reorder(id, std::move(order));
        const std::optional<LoopRef> channels = take_channels(kernel, id, loops, tiles);
        unroll(inner, loops, tiles);
        for (const std::optional<LoopRef> &loop : loops.walk) {
            if (loop) add(id, DirectiveOp::unroll).loops = {*loop};
        }
        if (!thread.empty()) {
            add(id, DirectiveOp::gpu_threads).loops = thread;
        } else if (runs_alone(inner, loops)) {
            write_single_thread(id);
        }
        if (channels) add(id, DirectiveOp::vectorize).loops = {*channels};
    }

    // Makes one loop of those over flat threads, and of that rows and planes of threads.
    void lay_in_rows(const Band &threads, std::vector<LoopRef> &loops) {
        const StageId id = threads.stage;
        while (loops.size() > 1) fuse_last_two(id, loops);
        const ThreadExtents &shape = threads.shape;
        const auto cut = [&](int64_t factor) {
            const LoopRef whole = loops.back();
            loops.back() = LoopRef::made(whole.name + "_r");
            loops.push_back(LoopRef::made(whole.name + "_n"));
            split(id, whole, loops.back(), loops[loops.size() - 2], factor,
                  TailStrategy::guard_with_if);
        };
        if (shape.y > 1) cut(shape.x);
        if (shape.z > 1) cut(shape.y);
    }

    // The points of a stage that holds nothing itself.
    bool may_have_a_thread_each(const Band &threads, const StageLoops &loops, size_t i) const {
        const bool is_split = loops.thread[i] && loops.serial[i];
        return is_split && threads.body.size() == 1 &&
               dag_.stage(threads.stage).loops[i].parallel &&
               has_threads_for_all_points(dag_, *find(threads.stage).kernel);
    }

    // In one step, for one point of the kernel.
    void compute_whole_region(StageId id, StageLoops &loops, size_t i) {
        loops.walk[i].reset();
        std::optional<LoopRef> &loop = loops.thread[i] ? loops.thread[i] : loops.serial[i];
        loops.serial[i].reset();
        loop = original(id, i);
    }

    bool may_go_around_threads(const Band &threads, const StageLoops &loops, size_t i) const {
        const bool holds_more = threads.body.size() > 1;
        return holds_more && loops.thread[i] && loops.serial[i] &&
               threads.body.back()->trips[i] > 1 && dag_.stage(threads.stage).loops[i].parallel;
    }

    // One point per thread, again and again: of several points, of which some lie behind a guard,
    // Halide does not see how much is computed for them (src/halide/README.md, 'Sizes of private
    // memory').
    void split_around_threads(const Band &threads, StageLoops &loops, size_t i) {
        const StageId id = threads.stage;
        split(id, original(id, i), *loops.serial[i], *loops.thread[i], threads.trips[i],
              TailStrategy::guard_with_if);
        std::swap(loops.outside[i], loops.serial[i]);
        loops.again[i].reset();
    }

    // Whether one thread runs all iterations of a loop, and nobody computes anything in it.
    static bool runs_alone(const Band &inner, const StageLoops &loops) {
        const auto is_loop = [](const std::optional<LoopRef> &loop) { return loop.has_value(); };
        return std::ranges::none_of(loops.outside, is_loop) &&
               std::ranges::any_of(inner.trips, [](int64_t trips) { return trips > 1; });
    }

    // A loop of one iteration around the others: without a thread, Halide takes each iteration, and
    // each step that is written out, for one of the block, and puts a barrier after it.
    void write_single_thread(StageId id) {
        const LoopRef thread = fresh(dag_.stage(id), "only_t");
        split(id, LoopRef::outermost(), LoopRef::outermost(), thread, 1, TailStrategy::automatic);
        add(id, DirectiveOp::gpu_threads).loops = {thread};
    }

    void split_in_block(const Band &threads, const StageLoops &loops, size_t i, TailStrategy tail) {
        const StageId id = threads.stage;
        const Band &inner = *threads.body.back();
        if (!loops.thread[i]) return;
        LoopRef points = original(id, i);
        const bool strides = inner.level == Level::strided || !dag_.stage(id).loops[i].parallel;
        if (loops.serial[i] && !strides) {
            const LoopRef outer = loops.again[i] ? made(id, i, "i") : *loops.thread[i];
            split(id, points, outer, *loops.serial[i], inner.trips[i], tail);
            points = outer;
        }
        const bool repeats = strides && loops.serial[i];
        const std::optional<LoopRef> &outer = repeats ? loops.serial[i] : loops.again[i];
        if (!outer) return;
        split(id, points, *outer, *loops.thread[i], threads.trips[i], TailStrategy::guard_with_if);
    }

    void write_thread_level_stage(const Kernel &kernel, const Band &threads, StageId id,
                                  Tiles tiles) {
        for (const BandPtr &inner : threads.body) {
            if (inner->stage != id) continue;
            StageLoops loops = empty_loops(id);
            for (size_t i = 0; i < inner->trips.size(); ++i) loops.serial[i] = original(id, i);
            const std::optional<StepVectors> vectors = step_vectors(dag_, kernel, id);
            if (!vectors) split_steps(*inner, loops, tiles);
            reorder(id, serial_loops(*inner, loops));
            const std::optional<ChannelVector> channels = channel_vector(dag_, kernel, id);
            if (channels && tiles == Tiles::full) {
                const LoopRef loop = *std::exchange(loops.serial[channels->loop], std::nullopt);
                unroll(*inner, loops, tiles);
                add(id, DirectiveOp::vectorize).loops = {loop};
                continue;
            }
            unroll(*inner, loops, tiles);
            if (vectors) {
                write_step_vectors(kernel, id, *vectors, tiles);
            } else {
                vectorize(kernel, id, loops, tiles);
            }
        }
    }

    // What the steps read is computed in a loop of that name in every branch: of four steps, which
    // are written out, or of one.
    void write_step_vectors(const Kernel &kernel, StageId id, const StepVectors &vectors,
                            Tiles tiles) {
        const LoopRef loop = original(id, vectors.loop);
        const LoopRef fours = fours_loop(id, vectors.loop), steps = made(id, vectors.loop, "u");
        if (tiles == Tiles::full) {
            specialize_aligned(kernel, id, vectors);
            const Branch around = std::exchange(branch_, Branch::aligned);
            split(id, loop, fours, steps, kVectorElements, TailStrategy::guard_with_if);
            add(id, DirectiveOp::unroll).loops = {steps};
            if (const std::optional<size_t> row = vector_loop(dag_, kernel, id)) {
                add(id, DirectiveOp::vectorize).loops = {original(id, *row)};
            }
            branch_ = around;
        }
        split(id, loop, fours, steps, 1, TailStrategy::guard_with_if);
    }

    void specialize_aligned(const Kernel &kernel, StageId id, const StepVectors &vectors) {
        Directive &specialize = add(id, DirectiveOp::specialize_aligned);
        specialize.loops = {original(id, vectors.loop)};
        if (vector_loop(dag_, kernel, id)) {
            specialize.site_func = buffer_of_rows(kernel);
            specialize.inputs = buffers(aligned_inputs(dag_, kernel, id));
        } else {
            std::vector<FuncId> inputs;
            for (const StepVector &read : vectors.reads) inputs.push_back(read.input);
            specialize.inputs = buffers(inputs);
        }
    }

    // Of a kernel with vectors.
    int buffer_of_rows(const Kernel &kernel) const {
        return dag_.func(*aligned_output(dag_, kernel)).halide_index;
    }

    // The copies in registers of what four steps read. They have numbers behind those of all Funcs.
    void write_step_copies(FuncId func) {
        for (const StageId id : dag_.func(func).stages) {
            const Kernel &kernel = *find(id).kernel;
            const std::optional<StepVectors> vectors = step_vectors(dag_, kernel, id);
            if (!vectors) continue;
            for (const StepVector &vector : vectors->reads) {
                write_step_copy(id, vector.read, fours_loop(id, vectors->loop));
            }
        }
    }

    void write_step_copy(StageId reader, FuncId read, const LoopRef &loop) {
        const Func &of = dag_.func(read), &by = dag_.func_of(reader);
        const auto add_to_copy = [&](DirectiveOp op) -> Directive & {
            Directive &directive = out_.emplace_back();
            directive.op = op;
            directive.func = next_copy_;
            directive.func_name = of.name + "_in_" + by.name;
            return directive;
        };
        Directive &in = add_to_copy(DirectiveOp::in);
        in.wrapped_func = of.halide_index;
        in.reader_func = by.halide_index;
        Directive &at = add_to_copy(DirectiveOp::compute_at);
        at.site_func = by.halide_index;
        at.site_stage = dag_.stage(reader).index;
        at.site_loop = loop;
        add_to_copy(DirectiveOp::store_in).memory = MemoryKind::registers;
        for (size_t d = 0; d < of.dims.size(); ++d) {
            add_to_copy(d == 0 ? DirectiveOp::vectorize : DirectiveOp::unroll).loops = {
                {static_cast<int>(d), of.dims[d].name}};
        }
        ++next_copy_;
    }

    LoopRef fours_loop(StageId id, size_t loop) const { return made(id, loop, "o"); }

    std::vector<api::InputBuffer> buffers(const std::vector<FuncId> &inputs) const {
        std::vector<api::InputBuffer> result;
        for (const FuncId input : inputs) {
            const Func &buffer = dag_.func(input);
            result.push_back({buffer.name, static_cast<int>(buffer.dims.size())});
        }
        return result;
    }

    // ---- names of loops

    StageLoops empty_loops(StageId id) const {
        const size_t count = dag_.stage(id).loops.size();
        const std::vector<std::optional<LoopRef>> none(count);
        return {none, none, none, none, none, none, none};
    }

    LoopRef original(StageId id, size_t loop) const {
        return {static_cast<int>(loop), dag_.stage(id).loops[loop].name};
    }

    // A loop name is looked for in every stage of a Func that something is computed at. Where the
    // Func has several stages, each must therefore have names of its own.
    bool needs_own_names(StageId id, const Band &band) const {
        return dag_.func_of(id).stages.size() > 1 && band.body.size() > 1;
    }

    // Blocks have three dimensions, so further loops are fused. What is computed inside has extents
    // that Halide can bound only if the fused loops come from splits, be it by 1.
    bool hides_extents(const Kernel &kernel) const {
        const std::vector<Loop> &loops = dag_.stage(kernel.stage).loops;
        int blocks = 0;
        for (size_t i = 0; i < loops.size(); ++i) blocks += has_blocks(loops[i], kernel.tiling[i]);
        return blocks > 3 &&
               (kernel.blocks->body.size() > 1 || root_threads(kernel)->body.size() > 1);
    }

    // Funcs are computed in the first block loop, which is one that is made in both branches then.
    bool has_site_of_one_point(const Kernel &kernel) const {
        const std::vector<size_t> loops = grid_loops(dag_, kernel);
        return !loops.empty() && !is_alone(kernel) && full_tiles(dag_, kernel) &&
               kernel.tiling[loops.front()].points() == 1;
    }

    StageLoops root_loops(const Kernel &kernel) const {
        const StageId id = kernel.stage;
        StageLoops loops = empty_loops(id);
        const Band &threads = *root_threads(kernel);
        // Halide knows loops that are shared by how they were made, so that all are made alike.
        const bool shares = kernel.with.valid();
        const bool own = needs_own_names(id, *kernel.blocks) || needs_own_names(id, threads) ||
                         hides_extents(kernel) || has_site_of_one_point(kernel) || shares;
        for (size_t i = 0; i < kernel.tiling.size(); ++i) {
            const LoopTile &tile = kernel.tiling[i];
            const bool in_one_thread = tile.rest == Rest::threads && tile.threads == 1;
            if (in_one_thread || !is_split(dag_.stage(id).loops[i], tile)) {
                loops.serial[i] = original(id, i);
                continue;
            }
            if (tile.rest == Rest::threads) {
                loops.thread[i] = made(id, i, "t");
                loops.serial[i] = made(id, i, "s");
                continue;
            }
            const bool whole = tile.block_points() == 1 && !own;
            loops.block[i] = whole ? original(id, i) : made(id, i, "b");
            if (tile.threads > 1) loops.thread[i] = made(id, i, "t");
            if (tile.serial > 1 || (own && tile.points() == 1) || shares) {
                loops.serial[i] = made(id, i, "s");
            }
            if (tile.walk > 1) loops.walk[i] = made(id, i, "w");
            if (tile.walk > 1 && tile.points() == 1) loops.serial[i] = made(id, i, "s");
        }
        return loops;
    }

    StageLoops block_level_loops(const Kernel &kernel, const Band &threads) const {
        const StageId id = threads.stage;
        const Band &inner = *threads.body.back();
        StageLoops loops = empty_loops(id);
        const KnownExtents known = extents_of_loops(kernel, threads);
        for (size_t i = 0; i < inner.trips.size(); ++i) {
            const bool axis = std::find(threads.axes.begin(), threads.axes.end(),
                                        static_cast<int>(i)) != threads.axes.end();
            // How often a reduction runs may be known only at run time, its threads may not.
            const Loop &loop = dag_.stage(id).loops[i];
            if (is_outside_threads(dag_, threads, i)) {
                loops.outside[i] = original(id, i);
            } else if (slides_along(kernel, id, i)) {
                loops.walk[i] = made(id, i, "w");
                loops.serial[i] = made(id, i, "s");
                if (axis) loops.thread[i] = made(id, i, "t");
                continue;
            } else if (!axis) {
                loops.serial[i] = original(id, i);
            } else if (inner.trips[i] > 1 || needs_own_names(id, threads) ||
                       (!loop.parallel && !loop.constant)) {
                loops.thread[i] = made(id, i, "t");
                loops.serial[i] = made(id, i, "s");
            } else {
                loops.thread[i] = original(id, i);
            }
            const bool strides = inner.level == Level::strided || !loop.parallel;
            if (!axis || known[i] || (strides && loops.serial[i])) continue;
            loops.thread[i] = made(id, i, "t");
            loops.again[i] = made(id, i, "r");
        }
        return loops;
    }

    // How far the loops of a stage in a block run, where Halide knows it.
    KnownExtents extents_of_loops(const Kernel &kernel, const Band &threads) const {
        const Stage &stage = dag_.stage(threads.stage);
        const BlockLoop around = loop_around(dag_, kernel, stage.func);
        const KnownExtents region =
            extents_in_block(dag_, kernel, kernel.tiling, {&stage.func, 1}, around).front();
        KnownExtents result;
        for (const Loop &loop : stage.loops) {
            if (loop.dim >= 0) {
                result.push_back(region[loop.dim]);
            } else {
                result.push_back(loop.constant ? std::optional(loop.range.extent()) : std::nullopt);
            }
        }
        return result;
    }

    // A fresh name made of the loop's own, e.g. x_t; never one of the stage's loops.
    LoopRef made(StageId id, size_t loop, const std::string &level) const {
        const Stage &stage = dag_.stage(id);
        std::string base;
        for (char c : stage.loops[loop].name)
            base += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
        const bool twin = std::any_of(stage.loops.begin(), stage.loops.begin() + loop,
                                      [&](const Loop &l) { return clashes(l.name, base); });
        if (twin) base += std::to_string(loop);
        return fresh(stage, base + '_' + level);
    }

    LoopRef single_block(StageId id) const { return fresh(dag_.stage(id), "only_b"); }

    static LoopRef fresh(const Stage &stage, std::string name) {
        if (stage.index > 0) name += std::to_string(stage.index - 1);
        while (std::ranges::find(stage.loops, name, &Loop::name) != stage.loops.end()) name += '_';
        return LoopRef::made(std::move(name));
    }

    static bool clashes(const std::string &other, const std::string &base) {
        return other.size() == base.size() &&
               std::equal(other.begin(), other.end(), base.begin(), [](char a, char b) {
                   return a == b || (b == '_' && !std::isalnum(static_cast<unsigned char>(a)));
               });
    }

    LoopRef block_site(const Kernel &kernel) const {
        const std::vector<LoopRef> blocks = block_loops(kernel, root_loops(kernel));
        if (blocks.empty()) return single_block(kernel.stage);
        const bool is_fused = kernel.with.valid() && blocks.size() > 1;
        return is_fused ? shared_blocks(kernel.stage) : blocks.front();
    }

    // The innermost loop of an update outside its threads.
    LoopRef loop_site(BlockLoop loop) const {
        size_t i = 0;
        while (!is_outside(dag_, loop, i)) ++i;
        return original(loop.update, i);
    }

    // The loop over the tiles of a block that walks.
    std::optional<LoopRef> walk_site(const Kernel &kernel) const {
        const std::optional<size_t> loop = walked_loop(kernel.tiling);
        return loop ? root_loops(kernel).walk[*loop] : std::nullopt;
    }

    LoopRef thread_site(const Kernel &kernel, const Band &threads) const {
        const StageLoops loops =
            threads.stage == kernel.stage ? root_loops(kernel) : block_level_loops(kernel, threads);
        return thread_loops(threads, loops).front();
    }

    // ---- orders

    std::vector<LoopRef> block_loops(const Kernel &kernel, const StageLoops &loops) const {
        const std::vector<size_t> grid =
            kernel.with.valid() ? shared_grid(dag_, kernel) : grid_loops(dag_, kernel);
        std::vector<LoopRef> result;
        for (const size_t i : grid) result.push_back(*loops.block[i]);
        return result;
    }

    std::vector<LoopRef> thread_loops(const Band &threads, const StageLoops &loops) const {
        std::vector<LoopRef> result;
        for (int axis : threads.axes) result.push_back(*loops.thread[axis]);
        return result;
    }

    std::vector<LoopRef> serial_loops(const Band &inner, const StageLoops &loops) const {
        std::vector<LoopRef> result;
        for (size_t i : serial_order(dag_, inner)) {
            if (loops.steps[i]) result.push_back(*loops.steps[i]);
            if (loops.serial[i]) result.push_back(*loops.serial[i]);
        }
        return result;
    }

    // ---- directives

    Directive &add(FuncId func, DirectiveOp op) {
        Directive directive;
        directive.op = op;
        directive.func = dag_.func(func).halide_index;
        directive.func_name = dag_.func(func).name;
        out_.push_back(std::move(directive));
        return out_.back();
    }

    Directive &add(StageId id, DirectiveOp op) {
        Directive &directive = add(dag_.stage(id).func, op);
        directive.stage = dag_.stage(id).index;
        directive.branch = branch_;
        return directive;
    }

    void split(StageId id, const LoopRef &old, const LoopRef &outer, const LoopRef &inner,
               int64_t factor, TailStrategy tail) {
        Directive &directive = add(id, DirectiveOp::split);
        directive.loops = {old, outer, inner};
        directive.factor = factor;
        directive.tail = tail;
    }

    void split_root_loops(const Kernel &kernel, const Tiling &tiling, const StageLoops &loops,
                          TailStrategy tail_of_others) {
        const StageId id = kernel.stage;
        for (size_t i = 0; i < tiling.size(); ++i) {
            const LoopTile &tile = tiling[i];
            const bool aligned = is_aligned(dag_, kernel, i);
            const TailStrategy tail = aligned ? aligned_tail(kernel) : tail_of_others;
            if (tile.rest == Rest::threads && loops.thread[i]) {
                split(id, original(id, i), *loops.serial[i], *loops.thread[i], tile.threads,
                      TailStrategy::guard_with_if);
            }
            if (!loops.block[i] || loops.block[i]->is_original()) continue;
            if (loops.walk[i]) {
                split_walk(id, i, tile, loops, tail);
            } else if (loops.thread[i] && loops.serial[i] && aligned) {
                split_aligned(id, i, tile, loops, tail);
            } else if (loops.thread[i] && loops.serial[i]) {
                split_twice(id, i, tile, loops, tail);
            } else {
                split(id, original(id, i), *loops.block[i],
                      loops.thread[i] ? *loops.thread[i] : *loops.serial[i], tile.points(), tail);
            }
        }
    }

    // Of a kernel in a launch with others: all alike, for Halide knows the loops that are shared by
    // how they were made.
    void split_shared_loops(const Kernel &kernel, const StageLoops &loops) {
        const StageId id = kernel.stage;
        for (size_t i = 0; i < kernel.tiling.size(); ++i) {
            if (!loops.block[i]) continue;
            const LoopTile &tile = kernel.tiling[i];
            const TailStrategy tail = is_guarded(dag_, kernel)     ? TailStrategy::guard_with_if
                                      : rounds_up(dag_, kernel, i) ? TailStrategy::round_up
                                                                   : TailStrategy::shift_inwards;
            LoopRef rest = original(id, i);
            if (loops.thread[i]) {
                split(id, rest, made(id, i, "i"), *loops.serial[i], tile.serial, tail);
                rest = made(id, i, "i");
            }
            const LoopRef &inner = loops.thread[i] ? *loops.thread[i] : *loops.serial[i];
            const int64_t factor = loops.thread[i] ? tile.threads : tile.serial;
            split(id, rest, *loops.block[i], inner, factor, tail);
        }
    }

    // Of an output no more may be computed than is asked for.
    TailStrategy aligned_tail(const Kernel &kernel) const {
        const bool is_output = dag_.func_of(kernel.stage).is_output();
        return is_output ? TailStrategy::guard_with_if : TailStrategy::round_up;
    }

    // From the outside in: of two guards Halide can't tell that they end within the tile. The guard
    // that may get lost so (src/halide/README.md) is that of a region with a complicated end; an
    // output that nobody reads ends where its buffer does.
    void split_aligned(StageId id, size_t i, const LoopTile &tile, const StageLoops &loops,
                       TailStrategy tail) {
        const LoopRef rest = made(id, i, "i");
        split(id, original(id, i), *loops.block[i], rest, tile.points(), tail);
        if (tile.rest == Rest::spread) {
            split(id, rest, *loops.serial[i], *loops.thread[i], tile.threads,
                  TailStrategy::automatic);
        } else {
            split(id, rest, *loops.thread[i], *loops.serial[i], tile.serial,
                  TailStrategy::automatic);
        }
    }

    // In blocks, in their tiles, in threads.
    void split_walk(StageId id, size_t i, const LoopTile &tile, const StageLoops &loops,
                    TailStrategy tail) {
        const LoopRef rest = made(id, i, "i");
        const bool twice = loops.thread[i] && loops.serial[i];
        const LoopRef points = twice             ? made(id, i, "q")
                               : loops.thread[i] ? *loops.thread[i]
                                                 : *loops.serial[i];
        split(id, original(id, i), *loops.block[i], rest, tile.block_points(), tail);
        split(id, rest, *loops.walk[i], points, tile.points(), TailStrategy::automatic);
        if (!twice) return;
        split(id, points, *loops.thread[i], *loops.serial[i], tile.serial, TailStrategy::automatic);
    }

    // A guarded loop is split from the inside out: Halide loses the guard of a loop whose inner
    // part is split once more (src/halide/README.md).
    void split_twice(StageId id, size_t i, const LoopTile &tile, const StageLoops &loops,
                     TailStrategy tail) {
        const LoopRef &block = *loops.block[i], rest = made(id, i, "i");
        LoopRef outer = *loops.thread[i], inner = *loops.serial[i];
        int64_t outer_factor = tile.threads, inner_factor = tile.serial;
        if (tile.atomic || tile.rest == Rest::spread) {
            std::swap(outer, inner);
            std::swap(outer_factor, inner_factor);
        }
        if (tail == TailStrategy::guard_with_if) {
            split(id, original(id, i), rest, inner, inner_factor, tail);
            split(id, rest, block, outer, outer_factor, tail);
        } else {
            split(id, original(id, i), block, rest, tile.points(), tail);
            split(id, rest, outer, inner, inner_factor, tail);
        }
    }

    // Halide guards the outermost loops of a specialization that has at least two loops more than
    // the schedule beside it, and behind such a guard it no longer knows how far the parts of a
    // fused loop run: it would ask for what no iteration reads (src/halide/README.md). Loops of one
    // iteration make up for those that are missing. `inside`: the loops inside the blocks.
    void keep_unguarded(const Kernel &kernel, std::vector<LoopRef> &inside,
                        std::vector<LoopRef> &blocks) {
        // In the first block loop of a kernel other Funcs are computed. Such a kernel has serial
        // loops of our making: of more than three block loops at most three have threads.
        LoopRef &loop =
            is_alone(kernel)
                ? blocks.back()
                : *std::ranges::find_if(inside, [](const LoopRef &l) { return !l.is_original(); });
        std::vector<LoopRef> ones;
        while (inside.size() + ones.size() + blocks.size() + 1 < full_loops_) {
            const LoopRef outer = LoopRef::made(loop.name + "_n");
            ones.push_back(LoopRef::made(loop.name + "_1"));
            split(kernel.stage, loop, outer, ones.back(), 1, TailStrategy::guard_with_if);
            loop = outer;
        }
        inside.insert(inside.begin(), ones.begin(), ones.end());
    }

    // Returns the block loops.
    std::vector<LoopRef> write_for_any_size(const Kernel &kernel, StageLoops &loops,
                                            std::vector<LoopRef> blocks) {
        if (!is_alone(kernel)) return write_site_for_any_size(kernel, loops, blocks.front());
        split_root_loops(kernel, one_point_per_thread(kernel.tiling, loops), loops,
                         TailStrategy::guard_with_if);
        while (blocks.size() > 1) fuse_last_two(kernel.stage, blocks);
        return blocks;
    }

    // Returns the tiling without serial loops where there are threads, and removes these from
    // `loops`.
    static Tiling one_point_per_thread(Tiling tiling, StageLoops &loops) {
        for (size_t i = 0; i < tiling.size(); ++i) {
            loops.walk[i].reset();
            tiling[i].walk = 1;
            if (!loops.thread[i] || tiling[i].atomic || tiling[i].rest == Rest::threads) continue;
            tiling[i].serial = 1;
            loops.serial[i].reset();
        }
        return tiling;
    }

    // The first block loop has the name that it has where tiles are full, for Funcs are computed in
    // it. It takes all loops of unknown extents; in a fused loop Halide would no more know those of
    // the others. Nor would it know that the parts of a reduction which such a loop runs over are
    // there (src/halide/README.md): beside a single other loop they have blocks of their own.
    std::vector<LoopRef> write_site_for_any_size(const Kernel &kernel, StageLoops &loops,
                                                 const LoopRef &site) {
        const StageId id = kernel.stage;
        const bool shrinks = at_other_sizes(dag_, kernel) == OtherSizes::points;
        const std::vector<size_t> grid = grid_loops(dag_, kernel);
        const auto varies = [&](size_t i) { return !has_constant_extent(dag_, id, i); };
        const std::optional<size_t> parts = loop_over_parts(kernel, grid);
        const bool fuses = !parts && std::ranges::count_if(grid, varies) > 1;
        std::vector<LoopRef> varying, constant;
        for (const size_t i : grid) {
            loops.block[i] = varies(i) && !fuses && i != parts ? site : made(id, i, "p");
            (varies(i) ? varying : constant).push_back(*loops.block[i]);
            if (!loops.thread[i] && !loops.serial[i]) loops.serial[i] = made(id, i, "s");
        }
        split_root_loops(kernel, tiling_at_other_sizes(dag_, kernel), loops,
                         shrinks ? TailStrategy::shift_inwards : TailStrategy::guard_with_if);
        if (parts) {
            const LoopRef inner = made(id, *parts, "q"), outer = made(id, *parts, "o");
            split(id, *loops.block[*parts], outer, inner, kPartsSideBySide,
                  TailStrategy::guard_with_if);
            return {site, inner, outer};
        }
        while (varying.size() > 2) fuse_last_two(id, varying);
        if (fuses) add(id, DirectiveOp::fuse).loops = {varying[0], varying[1], site};
        while (constant.size() > 2) fuse_last_two(id, constant);
        std::vector<LoopRef> blocks = {site};
        blocks.insert(blocks.end(), constant.begin(), constant.end());
        return blocks;
    }

    // That of two loops of unknown extents which runs over parts of a reduction.
    std::optional<size_t> loop_over_parts(const Kernel &kernel, const std::vector<size_t> &grid) {
        const StageId id = kernel.stage;
        if (grid.size() != 2) return std::nullopt;
        std::optional<size_t> found;
        for (const size_t i : grid) {
            const int dim = dag_.stage(id).loops[i].dim;
            if (dim < 0 || has_constant_extent(dag_, id, i)) return std::nullopt;
            const int64_t most = dag_.func_of(id).dims[static_cast<size_t>(dim)].most_extent;
            if (0 < most && most <= kPartsSideBySide * kMostBlocks) found = i;
        }
        return found;
    }

    void fuse_last_two(StageId id, std::vector<LoopRef> &loops) {
        const LoopRef outer = loops.back();
        loops.pop_back();
        const LoopRef inner = loops.back(), both = fused(inner, outer);
        add(id, DirectiveOp::fuse).loops = {inner, outer, both};
        loops.back() = both;
    }

    static LoopRef fused(const LoopRef &inner, const LoopRef &outer) {
        std::string name = inner.name + "_" + outer.name;
        for (char &c : name) {
            if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
        }
        return LoopRef::made(std::move(name));
    }

    void reorder(StageId id, std::vector<LoopRef> order) {
        if (order.size() > 1) add(id, DirectiveOp::reorder).loops = std::move(order);
    }

    // The last of a stage's directives: its other schedule is as this one, but for the vector.
    void vectorize(const Kernel &kernel, StageId id, const StageLoops &loops, Tiles tiles) {
        if (tiles == Tiles::any) return;
        const std::optional<size_t> loop = vector_loop(dag_, kernel, id);
        if (!loop || !loops.serial[*loop]) return;
        Directive &vectorize = add(id, DirectiveOp::vectorize_aligned);
        vectorize.loops = {*loops.serial[*loop]};
        vectorize.site_func = buffer_of_rows(kernel);
        vectorize.inputs = buffers(aligned_inputs(dag_, kernel, id));
    }

    // Halide joins the stores, or loads, of channels that follow each other.
    void bring_channels_inside(const Kernel &kernel, const StageLoops &loops,
                               std::vector<LoopRef> &order) const {
        const std::optional<PixelVectors> vectors = pixel_vectors(dag_, kernel);
        if (!vectors) return;
        std::ranges::stable_partition(order, [&](const LoopRef &loop) {
            return std::ranges::any_of(vectors->channels,
                                       [&](size_t i) { return loops.serial[i] == loop; });
        });
    }

    // Likewise the last.
    void vectorize_pixels(const Kernel &kernel, const StageLoops &loops, Tiles tiles) {
        if (tiles == Tiles::any) return;
        const std::optional<PixelVectors> vectors = pixel_vectors(dag_, kernel);
        if (!vectors) return;
        Directive &vectorize = add(kernel.stage, DirectiveOp::vectorize_pixels);
        vectorize.loops = {*loops.serial[vectors->loop]};
        vectorize.factor = vectors->points;
        for (const PixelBuffer &buffer : vectors->buffers) {
            const Func &func = dag_.func(buffer.func);
            api::PixelBuffer &named = vectorize.buffers.emplace_back();
            if (func.is_output()) named.func = func.halide_index;
            if (func.is_input()) named.input = func.name;
            named.dimensions = static_cast<int>(func.dims.size());
            named.pixels = static_cast<int>(buffer.pixels);
            if (buffer.channels) named.channels = static_cast<int>(*buffer.channels);
            named.step = buffer.step;
        }
    }

    // Likewise the last: there are no vectors then.
    void repeat_for_multiples(const Kernel &kernel) {
        std::vector<int64_t> numbers = multiples(dag_, kernel);
        if (numbers.empty()) return;
        Directive &repeat = add(kernel.stage, DirectiveOp::repeat_for_multiples);
        repeat.site_func = dag_.func_of(kernel.stage).halide_index;
        repeat.multiples = std::move(numbers);
    }

    void split_steps(const Band &inner, StageLoops &loops, Tiles tiles) {
        if (tiles == Tiles::any || inner.steps == 1) return;
        const size_t i = *UnrolledLoops(dag_, inner).stepped();
        const LoopRef rest = made(inner.stage, i, "o"), steps = made(inner.stage, i, "u");
        split(inner.stage, *loops.serial[i], rest, steps, inner.steps, TailStrategy::guard_with_if);
        loops.serial[i] = rest;
        loops.steps[i] = steps;
    }

    void unroll(const Band &inner, const StageLoops &loops, Tiles tiles) {
        if (tiles == Tiles::any) return;
        const UnrolledLoops unrolled(dag_, inner);
        for (size_t i = 0; i < inner.trips.size(); ++i) {
            if (loops.steps[i]) add(inner.stage, DirectiveOp::unroll).loops = {*loops.steps[i]};
            if (!unrolled.is_whole(i) || !loops.serial[i] || inner.trips[i] == 1) continue;
            add(inner.stage, DirectiveOp::unroll).loops = {*loops.serial[i]};
        }
    }

    const Dag &dag_;
    const Nest &nest_;
    Branch branch_ = Branch::otherwise;
    std::vector<FuncId> moved_by_channels_;  // all points of the innermost dimension at once
    int next_copy_ = 0;                      // number of the next copy of what steps read
    size_t full_loops_ = 0;  // of the stage at root that was written last for full tiles
    Schedule out_;
};

}  // namespace

Schedule directives(const Dag &dag, const Nest &nest) {
    return DirectiveWriter(dag, nest).write();
}

}  // namespace autoschedule_gpu
