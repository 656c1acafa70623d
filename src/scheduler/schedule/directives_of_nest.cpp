#include "scheduler/schedule/directives_of_nest.h"

#include <algorithm>
#include <map>
#include <optional>

#include "scheduler/nest/regions.h"
#include "scheduler/schedule/stage_kind.h"

namespace autoschedule_gpu {

namespace {

// A stage's loops under construction: what stands for each original loop at each level. `outside`:
// between blocks and threads.
struct StageLoops {
    std::vector<std::optional<LoopRef>> block, outside, thread, serial;
};

class Writer {
public:
    Writer(const Dag &dag, const Nest &nest) : dag_(dag), nest_(nest) {}

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

    // Wrappers come first: others may be computed in their loops.
    void make_wrapper(FuncId id) {
        const Func &func = dag_.func(id);
        if (!func.wraps.valid() || !is_made(id)) return;
        Directive &in = add(id, DirectiveOp::in);
        in.wrapped_func = dag_.func(func.wraps).halide_index;
        if (func.reader.valid()) in.reader_func = dag_.func(func.reader).halide_index;
    }

    void write_func(FuncId id) {
        const Func &func = dag_.func(id);
        const Place placement = nest_.place(id);
        if (func.is_input() || placement == Place::inlined) return;
        if (placement == Place::root) {
            add(id, DirectiveOp::compute_root);
            for (StageId stage : func.stages) {
                write_root_stage(stage);
                write_settings(stage);
            }
            return;
        }
        const Home home = find(func.stages[0]);
        const bool per_block = home.threads->stage == func.stages[0];
        if (!per_block) {
            compute_at(id, home.threads->stage, thread_site(*home.kernel, *home.threads));
        } else if (home.threads->loop.valid()) {
            compute_at(id, home.threads->loop, loop_site(home.threads->loop));
        } else {
            compute_at(id, home.kernel->stage, block_site(*home.kernel));
        }
        add(id, DirectiveOp::store_in).memory =
            find_innermost(*home.kernel, func.stages[0])->memory;
        for (StageId stage : func.stages) {
            const Home here = find(stage);
            if (per_block) {
                write_block_level_stage(*here.kernel, *here.threads);
            } else {
                write_thread_level_stage(*here.threads, stage);
            }
            write_settings(stage);
        }
    }

    // What kinds of decisions have to add that no field of a band tells.
    void write_settings(StageId stage) {
        const Home home = find(stage);
        for (const StageSetting &setting : home.kernel->settings) {
            if (setting.stage != stage) continue;
            const Schedule more = setting.kind->directives(dag_, *home.kernel, stage);
            out_.insert(out_.end(), more.begin(), more.end());
        }
    }

    void compute_at(FuncId id, StageId site, LoopRef loop) {
        Directive &at = add(id, DirectiveOp::compute_at);
        at.site_func = dag_.func_of(site).halide_index;
        at.site_stage = dag_.stage(site).index;
        at.site_loop = std::move(loop);
    }

    // ---- one stage

    void write_root_stage(StageId id) {
        const Home home = find(id);
        if (home.kernel->on_host) return;
        const Kernel &kernel = *home.kernel;
        const StageLoops loops = root_loops(kernel);
        if (uses_atomics(dag_, kernel, *home.threads)) add(id, DirectiveOp::atomic);
        split_root_loops(
            kernel, loops,
            is_guarded(dag_, kernel) ? TailStrategy::guard_with_if : TailStrategy::shift_inwards);
        std::vector<LoopRef> blocks = block_loops(kernel, loops);
        const std::vector<LoopRef> threads = thread_loops(*home.threads, loops);
        if (blocks.empty()) {
            reorder(id, serial_loops(*home.threads->body.back(), loops));
            unroll(*home.threads->body.back(), loops);
            add(id, DirectiveOp::gpu_single_thread);
            return;
        }
        while (blocks.size() > 3) fuse_last_two(id, blocks);
        std::vector<LoopRef> order = serial_loops(*home.threads->body.back(), loops);
        order.insert(order.end(), threads.begin(), threads.end());
        order.insert(order.end(), blocks.begin(), blocks.end());
        reorder(id, std::move(order));
        unroll(*home.threads->body.back(), loops);
        add(id, DirectiveOp::gpu_blocks).loops = std::move(blocks);
        if (!threads.empty()) add(id, DirectiveOp::gpu_threads).loops = threads;
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

    void write_block_level_stage(const Kernel &kernel, const Band &threads) {
        const StageId id = threads.stage;
        const Band &inner = *threads.body.back();
        const StageLoops loops = block_level_loops(threads);
        if (uses_atomics(dag_, kernel, threads)) add(id, DirectiveOp::atomic);
        const TailStrategy tail = tail_in_block(kernel, id);
        for (size_t i = 0; i < inner.trips.size(); ++i) {
            if (!loops.thread[i] || !loops.serial[i]) continue;
            if (inner.level == Level::strided || !dag_.stage(id).loops[i].parallel) {
                split(id, original(id, i), *loops.serial[i], *loops.thread[i], threads.trips[i],
                      TailStrategy::guard_with_if);
            } else {
                split(id, original(id, i), *loops.thread[i], *loops.serial[i], inner.trips[i],
                      tail);
            }
        }
        const std::vector<LoopRef> thread = thread_loops(threads, loops);
        std::vector<LoopRef> order = serial_loops(inner, loops);
        order.insert(order.end(), thread.begin(), thread.end());
        for (const std::optional<LoopRef> &loop : loops.outside) {
            if (loop) order.push_back(*loop);
        }
        reorder(id, std::move(order));
        unroll(inner, loops);
        if (!thread.empty()) add(id, DirectiveOp::gpu_threads).loops = thread;
    }

    void write_thread_level_stage(const Band &threads, StageId id) {
        for (const BandPtr &inner : threads.body) {
            if (inner->stage != id) continue;
            StageLoops loops = empty_loops(id);
            for (size_t i = 0; i < inner->trips.size(); ++i) loops.serial[i] = original(id, i);
            reorder(id, serial_loops(*inner, loops));
            unroll(*inner, loops);
        }
    }

    // ---- names of loops

    StageLoops empty_loops(StageId id) const {
        const size_t count = dag_.stage(id).loops.size();
        const std::vector<std::optional<LoopRef>> none(count);
        return {none, none, none, none};
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
        for (size_t i = 0; i < loops.size(); ++i) blocks += is_split(loops[i], kernel.tiling[i]);
        return blocks > 3 &&
               (kernel.blocks->body.size() > 1 || root_threads(kernel)->body.size() > 1);
    }

    StageLoops root_loops(const Kernel &kernel) const {
        const StageId id = kernel.stage;
        StageLoops loops = empty_loops(id);
        const Band &threads = *root_threads(kernel);
        const bool own = needs_own_names(id, *kernel.blocks) || needs_own_names(id, threads) ||
                         hides_extents(kernel);
        for (size_t i = 0; i < kernel.tiling.size(); ++i) {
            const LoopTile &tile = kernel.tiling[i];
            if (!is_split(dag_.stage(id).loops[i], tile)) {
                loops.serial[i] = original(id, i);
                continue;
            }
            const bool whole = tile.points() == 1 && !own;
            loops.block[i] = whole ? original(id, i) : made(id, i, "b");
            if (tile.threads > 1) loops.thread[i] = made(id, i, "t");
            if (tile.serial > 1 || (own && tile.points() == 1)) loops.serial[i] = made(id, i, "s");
        }
        return loops;
    }

    StageLoops block_level_loops(const Band &threads) const {
        const StageId id = threads.stage;
        const Band &inner = *threads.body.back();
        StageLoops loops = empty_loops(id);
        for (size_t i = 0; i < inner.trips.size(); ++i) {
            const bool axis = std::find(threads.axes.begin(), threads.axes.end(),
                                        static_cast<int>(i)) != threads.axes.end();
            // How often a reduction runs may be known only at run time, its threads may not.
            const Loop &loop = dag_.stage(id).loops[i];
            if (is_outside_threads(dag_, threads, i)) {
                loops.outside[i] = original(id, i);
            } else if (!axis) {
                loops.serial[i] = original(id, i);
            } else if (inner.trips[i] > 1 || needs_own_names(id, threads) ||
                       (!loop.parallel && !loop.constant)) {
                loops.thread[i] = made(id, i, "t");
                loops.serial[i] = made(id, i, "s");
            } else {
                loops.thread[i] = original(id, i);
            }
        }
        return loops;
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
        std::string name = base + '_' + level;
        if (stage.index > 0) name += std::to_string(stage.index - 1);
        while (std::any_of(stage.loops.begin(), stage.loops.end(),
                           [&](const Loop &l) { return l.name == name; })) {
            name += '_';
        }
        return LoopRef::made(std::move(name));
    }

    static bool clashes(const std::string &other, const std::string &base) {
        return other.size() == base.size() &&
               std::equal(other.begin(), other.end(), base.begin(), [](char a, char b) {
                   return a == b || (b == '_' && !std::isalnum(static_cast<unsigned char>(a)));
               });
    }

    LoopRef block_site(const Kernel &kernel) const {
        return block_loops(kernel, root_loops(kernel)).front();
    }

    // The innermost loop of an update outside its threads.
    LoopRef loop_site(StageId update) const {
        const std::vector<Loop> &loops = dag_.stage(update).loops;
        const auto reduction = std::ranges::find(loops, false, &Loop::parallel);
        return original(update, static_cast<size_t>(reduction - loops.begin()));
    }

    LoopRef thread_site(const Kernel &kernel, const Band &threads) const {
        const StageLoops loops =
            threads.stage == kernel.stage ? root_loops(kernel) : block_level_loops(threads);
        return thread_loops(threads, loops).front();
    }

    // ---- orders

    // x first: the loops of thread x, y, z, then the others in the stage's order.
    std::vector<LoopRef> block_loops(const Kernel &kernel, const StageLoops &loops) const {
        std::vector<LoopRef> result;
        const std::vector<int> &axes = root_threads(kernel)->axes;
        for (int axis : axes) result.push_back(*loops.block[axis]);
        for (size_t i = 0; i < loops.block.size(); ++i) {
            const bool axis =
                std::find(axes.begin(), axes.end(), static_cast<int>(i)) != axes.end();
            if (loops.block[i] && !axis) result.push_back(*loops.block[i]);
        }
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
        return directive;
    }

    void split(StageId id, const LoopRef &old, const LoopRef &outer, const LoopRef &inner,
               int64_t factor, TailStrategy tail) {
        Directive &directive = add(id, DirectiveOp::split);
        directive.loops = {old, outer, inner};
        directive.factor = factor;
        directive.tail = tail;
    }

    void split_root_loops(const Kernel &kernel, const StageLoops &loops, TailStrategy tail) {
        const StageId id = kernel.stage;
        for (size_t i = 0; i < kernel.tiling.size(); ++i) {
            const LoopTile &tile = kernel.tiling[i];
            if (!loops.block[i] || loops.block[i]->is_original()) continue;
            const LoopRef old = original(id, i);
            if (loops.thread[i] && loops.serial[i]) {
                const LoopRef both = made(id, i, "i");
                split(id, old, *loops.block[i], both, tile.points(), tail);
                if (tile.atomic) {
                    split(id, both, *loops.serial[i], *loops.thread[i], tile.threads, tail);
                } else {
                    split(id, both, *loops.thread[i], *loops.serial[i], tile.serial, tail);
                }
            } else {
                split(id, old, *loops.block[i],
                      loops.thread[i] ? *loops.thread[i] : *loops.serial[i], tile.points(), tail);
            }
        }
    }

    void fuse_last_two(StageId id, std::vector<LoopRef> &blocks) {
        const LoopRef outer = blocks.back();
        blocks.pop_back();
        const LoopRef inner = blocks.back();
        std::string name = inner.name + "_" + outer.name;
        for (char &c : name) {
            if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
        }
        const LoopRef fused = LoopRef::made(name);
        add(id, DirectiveOp::fuse).loops = {inner, outer, fused};
        blocks.back() = fused;
    }

    void reorder(StageId id, std::vector<LoopRef> order) {
        if (order.size() > 1) add(id, DirectiveOp::reorder).loops = std::move(order);
    }

    void unroll(const Band &inner, const StageLoops &loops) {
        const UnrolledLoops unrolled(dag_, inner);
        for (size_t i = 0; i < inner.trips.size(); ++i) {
            if (!unrolled[i] || !loops.serial[i] || inner.trips[i] == 1) continue;
            add(inner.stage, DirectiveOp::unroll).loops = {*loops.serial[i]};
        }
    }

    const Dag &dag_;
    const Nest &nest_;
    Schedule out_;
};

}  // namespace

Schedule directives(const Dag &dag, const Nest &nest) {
    return Writer(dag, nest).write();
}

}  // namespace autoschedule_gpu
