// A schedule that is being written: directives are added one after the other to Funcs and to
// stages, those of stages in the branch that is open.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu::writing {

class DirectiveList {
public:
    // `dag` must outlive it.
    explicit DirectiveList(const Dag &dag) : dag_(dag) {}

    const Dag &dag() const { return dag_; }
    Schedule take() { return std::move(out_); }

    // Each returns the directive, for its other fields: it is there until the next one is added.
    Directive &add(FuncId func, DirectiveOp op);
    Directive &add(StageId stage, DirectiveOp op);
    Directive &add(Directive whole);

    // In which loop of which stage.
    void set_site(Directive &directive, StageId site, LoopRef loop) const;

    void split(StageId stage, const LoopRef &old, const LoopRef &outer, const LoopRef &inner,
               int64_t factor, TailStrategy tail);
    void fuse(StageId stage, const LoopRef &inner, const LoopRef &outer, const LoopRef &whole);
    // One loop, which is made, takes the place of the last two.
    void fuse_last_two(StageId stage, std::vector<LoopRef> &loops);
    // Innermost first. Nothing is written where there is no order.
    void reorder(StageId stage, std::vector<LoopRef> order);

    // What write() adds to stages is of that branch.
    template <typename Write>
    void in_branch(Branch branch, const Write &write) {
        const Branch around = std::exchange(branch_, branch);
        write();
        branch_ = around;
    }

private:
    const Dag &dag_;
    Branch branch_ = Branch::otherwise;
    Schedule out_;
};

}  // namespace autoschedule_gpu::writing
