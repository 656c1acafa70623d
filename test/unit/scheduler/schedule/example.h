// A small pipeline as a Dag made by hand, and a schedule for it that uses every op.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu::test {

inline Loop pure_loop(std::string name, int dim) {
    Loop loop;
    loop.name = std::move(name);
    loop.dim = dim;
    return loop;
}

inline Loop reduction_loop(std::string name) {
    Loop loop;
    loop.name = std::move(name);
    loop.kind = Loop::Kind::reduction;
    loop.parallel = false;
    return loop;
}

// `stages` are the loops of each definition, innermost first.
inline void add_func(Dag &dag, std::string name, Func::Kind kind,
                     std::vector<std::vector<Loop>> stages) {
    Func func;
    func.name = std::move(name);
    func.kind = kind;
    if (kind != Func::Kind::input_image) {
        func.halide_index =
            static_cast<int>(std::count_if(dag.funcs.begin(), dag.funcs.end(),
                                           [](const Func &other) { return !other.is_input(); }));
    }
    if (!stages.empty()) {
        for (const Loop &loop : stages[0]) func.dims.push_back({loop.name, {}, 1});
    }
    for (std::vector<Loop> &loops : stages) {
        Stage stage;
        stage.func = FuncId(dag.funcs.size());
        stage.index = static_cast<int>(func.stages.size());
        stage.loops = std::move(loops);
        func.stages.push_back(StageId(dag.stages.size()));
        dag.stages.push_back(std::move(stage));
    }
    dag.funcs.push_back(std::move(func));
}

// Funcs 0 blur, 1 sum (a pure definition and one update over two reduction loops), 2 out.
inline Dag example_dag() {
    Dag dag;
    add_func(dag, "input", Func::Kind::input_image, {});
    add_func(dag, "blur", Func::Kind::internal, {{pure_loop("x", 0), pure_loop("y", 1)}});
    add_func(
        dag, "sum$1", Func::Kind::internal,
        {{pure_loop("x", 0), pure_loop("y", 1)},
         {reduction_loop("r4$x"), reduction_loop("r4$y"), pure_loop("x", 0), pure_loop("y", 1)}});
    add_func(dag, "out", Func::Kind::output, {{pure_loop("x", 0), pure_loop("y", 1)}});
    return dag;
}

inline LoopRef own(int position, std::string name = "") {
    return {position, std::move(name)};
}
inline LoopRef made(std::string name) {
    return LoopRef::made(std::move(name));
}

inline Directive on_func(DirectiveOp op, int func, std::string name) {
    Directive directive;
    directive.op = op;
    directive.func = func;
    directive.func_name = std::move(name);
    return directive;
}

inline Directive on_stage(DirectiveOp op, int func, std::string name, int stage,
                          std::vector<LoopRef> loops) {
    Directive directive = on_func(op, func, std::move(name));
    directive.stage = stage;
    directive.loops = std::move(loops);
    return directive;
}

inline Directive split(int func, std::string name, int stage, std::vector<LoopRef> loops,
                       int64_t factor, TailStrategy tail = TailStrategy::automatic) {
    Directive directive =
        on_stage(DirectiveOp::split, func, std::move(name), stage, std::move(loops));
    directive.factor = factor;
    directive.tail = tail;
    return directive;
}

inline Directive store_in(int func, std::string name, MemoryKind memory) {
    Directive directive = on_func(DirectiveOp::store_in, func, std::move(name));
    directive.memory = memory;
    return directive;
}

inline Directive bound_extent(int func, std::string name, LoopRef dimension, int64_t points) {
    Directive directive = on_func(DirectiveOp::bound_extent, func, std::move(name));
    directive.loops = {std::move(dimension)};
    directive.factor = points;
    return directive;
}

inline Directive bound_storage(int func, std::string name, LoopRef dimension, int64_t points) {
    Directive directive = on_func(DirectiveOp::bound_storage, func, std::move(name));
    directive.loops = {std::move(dimension)};
    directive.factor = points;
    return directive;
}

inline Directive align_storage(int func, std::string name, LoopRef dimension, int64_t elements) {
    Directive directive = on_func(DirectiveOp::align_storage, func, std::move(name));
    directive.loops = {std::move(dimension)};
    directive.factor = elements;
    return directive;
}

inline Directive compute_at(int func, std::string name, int site_func, LoopRef site_loop,
                            int site_stage = 0) {
    Directive directive = on_func(DirectiveOp::compute_at, func, std::move(name));
    directive.site_func = site_func;
    directive.site_loop = std::move(site_loop);
    directive.site_stage = site_stage;
    return directive;
}

inline Directive store_at(int func, std::string name, int site_func, LoopRef site_loop) {
    Directive directive = compute_at(func, std::move(name), site_func, std::move(site_loop));
    directive.op = DirectiveOp::store_at;
    return directive;
}

// A wrapper of Func `wrapped`, for one reader or (-1) for all.
inline Directive in(int func, std::string name, int wrapped, int reader = -1) {
    Directive directive = on_func(DirectiveOp::in, func, std::move(name));
    directive.wrapped_func = wrapped;
    directive.reader_func = reader;
    return directive;
}

// Takes loops of an update out into Func `makes`.
inline Directive rfactor(int func, std::string name, int stage, std::vector<LoopRef> loops,
                         int makes) {
    Directive directive =
        on_stage(DirectiveOp::rfactor, func, std::move(name), stage, std::move(loops));
    directive.made_func = makes;
    return directive;
}

inline Directive reorder_storage(int func, std::string name, std::vector<LoopRef> dims) {
    Directive directive = on_func(DirectiveOp::reorder_storage, func, std::move(name));
    directive.loops = std::move(dims);
    return directive;
}

// A schedule of its own for where so many points of Func `site` are computed.
inline Directive specialize(int func, std::string name, int stage, int site,
                            std::vector<int64_t> least, std::vector<int64_t> most) {
    Directive directive = on_stage(DirectiveOp::specialize, func, std::move(name), stage, {});
    directive.site_func = site;
    directive.least = std::move(least);
    directive.most = std::move(most);
    return directive;
}

// Likewise of sum$1's update, for where its loop over rows runs from 1 to 9 times.
inline Directive specialize_rows_of_sum() {
    Directive directive = specialize(1, "sum$1", 1, 1, {0, 0, 1}, {0, 0, 9});
    directive.loops = {own(1, "r4$y")};
    return directive;
}

inline Directive in_full_tiles(Directive directive) {
    directive.branch = Branch::full_tiles;
    return directive;
}

// Two schedules of one stage: in blocks of 64 columns, and of one where there are fewer.
inline Schedule two_branches() {
    using Op = DirectiveOp;
    const std::vector<LoopRef> loops = {own(0, "x"), made("xb"), made("xt")};
    return {
        on_func(Op::compute_root, 2, "out"),
        specialize(2, "out", 0, 2, {64, 0}, {0, 65535}),
        in_full_tiles(split(2, "out", 0, loops, 64, TailStrategy::shift_inwards)),
        in_full_tiles(on_stage(Op::gpu_blocks, 2, "out", 0, {made("xb"), own(1, "y")})),
        in_full_tiles(on_stage(Op::gpu_threads, 2, "out", 0, {made("xt")})),
        split(2, "out", 0, loops, 1, TailStrategy::guard_with_if),
        on_stage(Op::gpu_blocks, 2, "out", 0, {made("xb")}),
        on_stage(Op::gpu_threads, 2, "out", 0, {made("xt")}),
        compute_at(0, "blur", 2, made("xb")),
    };
}

// The output in vectors of eight pixels, whose channels, c of [x, y, c], lie side by side; an input
// has planes.
inline Directive vectorize_pixels_of_out() {
    Directive directive =
        in_full_tiles(on_stage(DirectiveOp::vectorize_pixels, 2, "out", 0, {made("xt")}));
    directive.factor = 8;
    directive.buffers.resize(2);
    api::PixelBuffer &out = directive.buffers[0], &in = directive.buffers[1];
    out.func = 2;
    out.dimensions = 3;
    out.channels = 2;
    out.step = 3;
    in.input = "in";
    in.dimensions = 2;
    return directive;
}

inline Schedule example_schedule() {
    using Op = DirectiveOp;
    const LoopRef x = own(0, "x"), y = own(1, "y"), rx = own(0, "r4$x"), ry = own(1, "r4$y");
    return {
        on_func(Op::compute_root, 2, "out"),
        split(2, "out", 0, {x, made("xb"), made("xi")}, 64, TailStrategy::shift_inwards),
        split(2, "out", 0, {made("xi"), made("xt"), made("xv")}, 4, TailStrategy::round_up),
        on_stage(Op::vectorize, 2, "out", 0, {made("xv")}),
        on_stage(Op::reorder, 2, "out", 0, {made("xv"), made("xt"), made("xb"), y}),
        on_stage(Op::gpu_blocks, 2, "out", 0, {made("xb"), y}),
        on_stage(Op::gpu_threads, 2, "out", 0, {made("xt")}),
        on_func(Op::compute_root, 1, "sum$1"),
        on_stage(Op::gpu_single_thread, 1, "sum$1", 0, {}),
        split(1, "sum$1", 1, {rx, made("ro"), made("ri")}, 2, TailStrategy::guard_with_if),
        on_stage(Op::fuse, 1, "sum$1", 1, {made("ro"), ry, made("rf")}),
        on_stage(Op::unroll, 1, "sum$1", 1, {made("ri")}),
        on_stage(Op::gpu_blocks, 1, "sum$1", 1, {own(3, "y")}),
        on_stage(Op::gpu_threads, 1, "sum$1", 1, {own(2, "x")}),
        compute_at(0, "blur", 1, made("rf"), 1),
        store_in(0, "blur", MemoryKind::registers),
        in(3, "sum_in", 1, 2),
        compute_at(3, "sum_in", 2, made("xb")),
        in(4, "blur_in", 0),
        on_stage(Op::unroll, 4, "blur_in", 0, {own(1, "y")}),
    };
}

}  // namespace autoschedule_gpu::test
