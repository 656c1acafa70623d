#include "scheduler/schedule/write/directive_list.h"

#include "scheduler/schedule/write/loop_names.h"

namespace autoschedule_gpu::writing {

Directive &DirectiveList::add(Directive whole) {
    out_.push_back(std::move(whole));
    return out_.back();
}

Directive &DirectiveList::add(FuncId func, DirectiveOp op) {
    Directive directive;
    directive.op = op;
    directive.func = dag_.func(func).halide_index;
    directive.func_name = dag_.func(func).name;
    return add(std::move(directive));
}

Directive &DirectiveList::add(StageId stage, DirectiveOp op) {
    Directive &directive = add(dag_.stage(stage).func, op);
    directive.stage = dag_.stage(stage).index;
    directive.branch = branch_;
    return directive;
}

void DirectiveList::set_site(Directive &directive, StageId site, LoopRef loop) const {
    directive.site_func = dag_.func_of(site).halide_index;
    directive.site_stage = dag_.stage(site).index;
    directive.site_loop = std::move(loop);
}

void DirectiveList::split(StageId stage, const LoopRef &old, const LoopRef &outer,
                          const LoopRef &inner, int64_t factor, TailStrategy tail) {
    Directive &directive = add(stage, DirectiveOp::split);
    directive.loops = {old, outer, inner};
    directive.factor = factor;
    directive.tail = tail;
}

void DirectiveList::fuse(StageId stage, const LoopRef &inner, const LoopRef &outer,
                         const LoopRef &whole) {
    add(stage, DirectiveOp::fuse).loops = {inner, outer, whole};
}

void DirectiveList::fuse_last_two(StageId stage, std::vector<LoopRef> &loops) {
    const LoopRef outer = loops.back();
    loops.pop_back();
    const LoopRef inner = loops.back();
    loops.back() = fused(dag_, stage, inner, outer);
    fuse(stage, inner, outer, loops.back());
}

void DirectiveList::reorder(StageId stage, std::vector<LoopRef> order) {
    if (order.size() > 1) add(stage, DirectiveOp::reorder).loops = std::move(order);
}

}  // namespace autoschedule_gpu::writing
