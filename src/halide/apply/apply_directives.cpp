#include "halide/apply/apply_directives.h"

#include <optional>
#include <utility>

#include "halide/apply/conditions.h"
#include "halide/apply/halide_error.h"
#include "halide/apply/malformed.h"
#include "halide/apply/numbered_funcs.h"
#include "halide/apply/whole_fours.h"
#include "halide/apply/whole_steps.h"

namespace autoschedule_gpu {
namespace {

using Halide::VarOrRVar;
namespace ir = Halide::Internal;

Halide::TailStrategy to_halide(TailStrategy tail) {
    switch (tail) {
        case TailStrategy::automatic:
            return Halide::TailStrategy::Auto;
        case TailStrategy::guard_with_if:
            return Halide::TailStrategy::GuardWithIf;
        case TailStrategy::shift_inwards:
            return Halide::TailStrategy::ShiftInwards;
        case TailStrategy::round_up:
            return Halide::TailStrategy::RoundUp;
    }
    return Halide::TailStrategy::Auto;
}

Halide::MemoryType to_halide(MemoryKind memory) {
    switch (memory) {
        case MemoryKind::automatic:
            return Halide::MemoryType::Auto;
        case MemoryKind::shared:
            return Halide::MemoryType::GPUShared;
        case MemoryKind::registers:
            return Halide::MemoryType::Register;
        case MemoryKind::global:
            return Halide::MemoryType::Heap;
        case MemoryKind::local:
        case MemoryKind::host:
            break;  // no directive uses the other memory types
    }
    return Halide::MemoryType::Auto;
}

// Converts the Var as the C++ text of the schedule does. It must draw as many of Halide's automatic
// names, because gpu_single_thread puts such names into the code.
VarOrRVar loop_var(const std::string &name, bool reduction) {
    if (reduction) return VarOrRVar(Halide::RVar(name));
    return VarOrRVar(Halide::Var(name));
}

class Applier {
public:
    // `first`: the number of the first directive, for messages.
    Applier(const Schedule &schedule, std::vector<Halide::Func> funcs, size_t first)
        : schedule_(schedule),
          first_(first),
          funcs_(std::move(funcs)),
          reductions_(schedule, [this](int func, int stage, int loop) {
              const ir::Dim *dim = funcs_.find_loop(func, stage, loop);
              return dim != nullptr && dim->is_rvar();
          }) {}

    Status run();
    std::vector<Halide::Func> take_funcs() && { return std::move(funcs_).take_all(); }

private:
    Error error(size_t index, const std::string &why) const;
    VarOrRVar loop(const Directive &directive, size_t i) const;
    VarOrRVar site_loop(const Directive &directive) const;
    ir::Definition definition_of_branch(const Directive &directive) const;
    Halide::Stage branch_of(const Directive &directive) const;
    const Halide::Func *site_of(const Directive &directive) const;
    Halide::Stage branch_in_branch(const Directive &directive) const;
    void specialize(const Directive &directive) const;
    void begin_aligned(const Directive &directive);
    void apply(const Directive &directive);
    void make_wrapper(const Directive &directive);
    void rfactor(const Directive &directive);
    void apply_to_func(const Directive &directive) const;
    void apply_to_stage(const Directive &directive) const;

    const Schedule &schedule_;
    size_t first_;
    NumberedFuncs funcs_;
    ReductionLoops reductions_;
    AlignedBranches aligned_;
};

// Halide's own specialize() takes conditions on parameters only.
void Applier::specialize(const Directive &directive) const {
    Halide::Func func = funcs_.func(directive.func);
    const Halide::Func &site = funcs_.func(directive.site_func);
    std::vector<Halide::Expr> extents;
    for (const std::string &dimension : site.function().args()) {
        extents.push_back(computed_extent(site, 0, dimension));
    }
    for (const LoopRef &reduction : directive.loops) {
        const std::string loop = funcs_.loop_name(directive.func, directive.stage, reduction);
        extents.push_back(computed_extent(func, directive.stage, loop));
    }
    definition_of(func, directive.stage).add_specialization(extents_fit(extents, directive));
}

ir::Definition Applier::definition_of_branch(const Directive &directive) const {
    Halide::Func func = funcs_.func(directive.func);
    const ir::Definition &definition = definition_of(func, directive.stage);
    if (directive.branch == Branch::aligned) return aligned_.at({directive.func, directive.stage});
    return directive.branch == Branch::otherwise ? definition
                                                 : definition.specializations().front().definition;
}

Halide::Stage Applier::branch_of(const Directive &directive) const {
    Halide::Func func = funcs_.func(directive.func);
    if (directive.branch == Branch::otherwise) return stage_of(func, directive.stage);
    return Halide::Stage(func.function(), definition_of_branch(directive),
                         static_cast<size_t>(directive.stage));
}

// Null where the directive names none.
const Halide::Func *Applier::site_of(const Directive &directive) const {
    return directive.site_func < 0 ? nullptr : &funcs_.func(directive.site_func);
}

// A schedule in the schedule that the directive belongs to, as that one is so far.
Halide::Stage Applier::branch_in_branch(const Directive &directive) const {
    Halide::Func func = funcs_.func(directive.func);
    const Halide::Func *output = site_of(directive);
    ir::Definition branch = definition_of_branch(directive);
    const DirectiveShape fields = shape(directive.op);
    const Halide::Expr condition = fields.aligned ? rows_are_aligned(output, directive.inputs)
                                   : fields.pixels
                                       ? pixels_are_aligned(funcs_.all(), directive)
                                       : ends_are_multiples(*output, directive.multiples);
    return Halide::Stage(func.function(), branch.add_specialization(condition).definition,
                         static_cast<size_t>(directive.stage));
}

void Applier::begin_aligned(const Directive &directive) {
    ir::Definition branch = definition_of_branch(directive);
    const std::string loop = funcs_.loop_name(directive.func, directive.stage, directive.loops[0]);
    const Halide::Expr condition =
        shape(directive.op).steps
            ? has_whole_steps(branch, loop, static_cast<int>(directive.factor))
            : both(has_fours(branch, loop), rows_are_aligned(site_of(directive), directive.inputs));
    aligned_.emplace(std::pair(directive.func, directive.stage),
                     branch.add_specialization(condition).definition);
}

Error Applier::error(size_t index, const std::string &why) const {
    Directive directive = schedule_[index];
    if (funcs_.has_func(directive.func)) {
        directive.func_name = funcs_.func(directive.func).name();
    }
    std::string site;
    if (funcs_.has_func(directive.site_func)) {
        site = funcs_.func(directive.site_func).name();
    }
    return Error{"directive " + std::to_string(first_ + index) + ", " + describe(directive, site) +
                 ": " + why};
}

VarOrRVar Applier::loop(const Directive &directive, size_t i) const {
    const LoopRef &ref = directive.loops[i];
    const bool reduction = reductions_.contains(directive.func, directive.stage, ref);
    return loop_var(funcs_.loop_name(directive.func, directive.stage, ref), reduction);
}

void Applier::apply_to_func(const Directive &directive) const {
    Halide::Func func = funcs_.func(directive.func);
    if (directive.op == DirectiveOp::compute_root) {
        func.compute_root();
    } else if (directive.op == DirectiveOp::store_in) {
        func.store_in(to_halide(directive.memory));
    } else if (directive.op == DirectiveOp::reorder_storage) {
        std::vector<Halide::Var> dims;
        for (const LoopRef &loop : directive.loops) {
            dims.emplace_back(funcs_.loop_name(directive.func, 0, loop));
        }
        func.reorder_storage(dims);
    } else if (shape(directive.op).dimension) {
        const Halide::Var dim(funcs_.loop_name(directive.func, 0, directive.loops.front()));
        const auto number = static_cast<int>(directive.factor);
        if (directive.op == DirectiveOp::align_storage) {
            func.align_storage(dim, number);
        } else if (directive.op == DirectiveOp::bound_storage) {
            func.bound_storage(dim, number);
        } else {
            func.bound_extent(dim, number);
        }
    } else {
        const Halide::LoopLevel level(funcs_.func(directive.site_func), site_loop(directive));
        if (directive.op == DirectiveOp::store_at) {
            func.store_at(level);
        } else {
            func.compute_at(level);
        }
    }
}

VarOrRVar Applier::site_loop(const Directive &directive) const {
    return loop_var(
        funcs_.loop_name(directive.site_func, directive.site_stage, directive.site_loop),
        reductions_.contains_site(directive));
}

void Applier::apply_to_stage(const Directive &directive) const {
    // A single loop has only one order, and the C++ text has no call for it.
    if (directive.op == DirectiveOp::reorder && directive.loops.size() < 2) return;
    if (directive.op == DirectiveOp::specialize) return specialize(directive);
    const DirectiveShape fields = shape(directive.op);
    const bool nests = fields.aligned || fields.multiples || fields.pixels;
    Halide::Stage stage = nests ? branch_in_branch(directive) : branch_of(directive);
    std::vector<VarOrRVar> vars;
    for (size_t i = 0; i < directive.loops.size(); ++i) vars.push_back(loop(directive, i));
    switch (directive.op) {
        case DirectiveOp::split:
            stage.split(vars[0], vars[1], vars[2], static_cast<int>(directive.factor),
                        to_halide(directive.tail));
            break;
        case DirectiveOp::fuse:
            stage.fuse(vars[0], vars[1], vars[2]);
            break;
        case DirectiveOp::reorder:
            stage.reorder(vars);
            break;
        case DirectiveOp::unroll:
            stage.unroll(vars[0]);
            break;
        case DirectiveOp::vectorize:
        case DirectiveOp::vectorize_aligned:
        case DirectiveOp::vectorize_pixels:
            stage.vectorize(vars[0]);
            break;
        // The calls may be made one by one: only the nesting order makes the loops x, y and z.
        case DirectiveOp::gpu_blocks:
            for (const VarOrRVar &var : vars) stage.gpu_blocks(var);
            break;
        case DirectiveOp::gpu_threads:
            for (const VarOrRVar &var : vars) stage.gpu_threads(var);
            break;
        case DirectiveOp::gpu_single_thread:
            stage.gpu_single_thread();
            break;
        case DirectiveOp::atomic:
            stage.atomic();
            break;
        case DirectiveOp::parallel:
            stage.parallel(vars[0]);
            break;
        case DirectiveOp::compute_with:
            stage.compute_with(stage_of(funcs_.func(directive.site_func), directive.site_stage),
                               site_loop(directive));
            break;
        case DirectiveOp::compute_root:
        case DirectiveOp::compute_at:
        case DirectiveOp::store_at:
        case DirectiveOp::store_in:
        case DirectiveOp::align_storage:
        case DirectiveOp::bound_extent:
        case DirectiveOp::bound_storage:
        case DirectiveOp::specialize:
        case DirectiveOp::specialize_aligned:
        case DirectiveOp::specialize_steps:
        case DirectiveOp::in:
        case DirectiveOp::rfactor:
        case DirectiveOp::reorder_storage:
        case DirectiveOp::for_sizes:
        case DirectiveOp::repeat_for_multiples:  // the branch is made
            break;
    }
}

void Applier::make_wrapper(const Directive &directive) {
    Halide::Func wrapped = funcs_.func(directive.wrapped_func);
    funcs_.add(directive.func, directive.reader_func < 0
                                   ? wrapped.in()
                                   : wrapped.in(funcs_.func(directive.reader_func)));
}

// Takes loops of an update out into a Func of partial results. The loops of the update are others
// afterwards.
void Applier::rfactor(const Directive &directive) {
    const size_t count = directive.loops.size() / 2;
    std::vector<std::pair<Halide::RVar, Halide::Var>> pairs;
    for (size_t i = 0; i < count; ++i) {
        const std::string out =
            funcs_.loop_name(directive.func, directive.stage, directive.loops[i]);
        pairs.emplace_back(Halide::RVar(out), Halide::Var(directive.loops[count + i].name));
    }
    const Halide::Func func = funcs_.func(directive.func);
    funcs_.add(directive.made_func, stage_of(func, directive.stage).rfactor(std::move(pairs)));
    funcs_.add(directive.func, func);
}

void Applier::apply(const Directive &directive) {
    if (shape(directive.op).wrapper) {
        make_wrapper(directive);
    } else if (shape(directive.op).factor) {
        rfactor(directive);
    } else if (begins_aligned(directive.op)) {
        begin_aligned(directive);
    } else if (is_func_level(directive.op)) {
        apply_to_func(directive);
    } else {
        apply_to_stage(directive);
    }
}

Status Applier::run() {
    for (size_t i = 0; i < schedule_.size(); ++i) {
        if (auto why = malformed(schedule_[i], schedule_, funcs_, aligned_)) return error(i, *why);
        if (auto why = halide_error([&] { apply(schedule_[i]); })) return error(i, *why);
    }
    return Ok{};
}

}  // namespace

Result<std::vector<Halide::Func>> apply_directives(const Schedule &schedule,
                                                   std::vector<Halide::Func> funcs, size_t first) {
    Applier applier(schedule, std::move(funcs), first);
    if (Status status = applier.run(); !status) return status.error();
    return std::move(applier).take_funcs();
}

}  // namespace autoschedule_gpu
