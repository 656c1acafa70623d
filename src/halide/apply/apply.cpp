#include "halide/apply/apply.h"

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "halide/apply/halide_error.h"
#include "halide/apply/sized_copy.h"
#include "halide/apply/whole_fours.h"
#include "scheduler/schedule/factors.h"
#include "scheduler/schedule/pixel_conditions.h"
#include "scheduler/schedule/size_sections.h"

namespace autoschedule_gpu {
namespace {

std::string_view name_of_factor(DirectiveOp op) {
    if (op == DirectiveOp::split) return "a split factor";
    return op == DirectiveOp::align_storage ? "an alignment factor" : "an extent";
}

using Halide::VarOrRVar;
namespace ir = Halide::Internal;

std::vector<ir::Function> functions_of(const std::vector<Halide::Func> &funcs) {
    std::vector<ir::Function> functions;
    functions.reserve(funcs.size());
    for (const Halide::Func &func : funcs) functions.push_back(func.function());
    return functions;
}

Halide::Stage stage_of(Halide::Func func, int stage) {
    if (stage > 0) return func.update(stage - 1);
    return Halide::Stage(func.function(), func.function().definition(), 0);
}

ir::Definition &definition_of(Halide::Func &func, int stage) {
    return stage > 0 ? func.function().update(stage - 1) : func.function().definition();
}

// How far a stage's loop of the algorithm runs. Halide has lets of these names around all that is
// computed of the Func.
Halide::Expr computed_extent(const Halide::Func &func, int stage, const std::string &loop) {
    const std::string name = func.name() + ".s" + std::to_string(stage) + "." + loop;
    const auto end = [&](const char *which) {
        return ir::Variable::make(Halide::Int(32), name + which);
    };
    return end(".max") - end(".min") + 1;
}

// `true` itself is no condition: Halide would keep it.
Halide::Expr with(const Halide::Expr &all, const Halide::Expr &one) {
    return ir::is_const_one(all) ? one : all && one;
}

// The condition of a `specialize`: each extent is at least and at most so much. Of an extent
// x / 2^18, Halide would multiply what it has at most by 2^18, beyond 32 bits.
Halide::Expr extents_fit(const std::vector<Halide::Expr> &extents, const Directive &specialize) {
    Halide::Expr all = ir::const_true();
    const auto require = [&](const Halide::Expr &one) { all = with(all, one); };
    for (size_t i = 0; i < extents.size(); ++i) {
        if (specialize.least[i] > 0) require(extents[i] >= static_cast<int>(specialize.least[i]));
        if (specialize.most[i] > 0) {
            require(Halide::cast<int64_t>(extents[i]) <=
                    ir::make_const(Halide::Int(64), specialize.most[i]));
        }
    }
    return all;
}

// Whether rows begin at multiples of four elements: those of an output, if there is one, and of
// inputs. Halide has variables of these names for the buffers of both.
Halide::Expr rows_are_aligned(const Halide::Func *output, std::vector<api::InputBuffer> buffers) {
    const auto field = [](const std::string &buffer, const std::string &of) {
        return ir::Variable::make(Halide::Int(32), buffer + "." + of);
    };
    Halide::Expr all = ir::const_true();
    if (output != nullptr) {
        all = field(output->name(), "extent.0") % kElements == 0;
        buffers.push_back({output->name(), output->dimensions()});
    }
    for (const auto &[buffer, dimensions] : buffers) {
        all = with(all, field(buffer, "min.0") == 0);
        for (int d = 1; d < dimensions; ++d) {
            all = all && field(buffer, "stride." + std::to_string(d)) % kElements == 0;
        }
    }
    return all;
}

// Whether vectors of pixels are aligned and whole. Halide has variables of these names for all
// buffers.
Halide::Expr pixels_are_aligned(const std::vector<Halide::Func> &funcs,
                                const Directive &vectorize) {
    Halide::Expr all = ir::const_true();
    for (const PixelCondition &one : pixel_conditions(vectorize)) {
        const std::string &buffer =
            one.func < 0 ? one.input : funcs[static_cast<size_t>(one.func)].name();
        const Halide::Expr field = ir::Variable::make(Halide::Int(32), buffer + one.field);
        const auto number = static_cast<int>(one.number);
        const bool is_multiple = one.is == PixelCondition::Is::multiple;
        all = with(all, is_multiple ? field % number == 0 : field == number);
    }
    return all;
}

// Whether an output's buffer begins and ends at multiples of these numbers.
Halide::Expr ends_are_multiples(const Halide::Func &output, const std::vector<int64_t> &multiples) {
    Halide::Expr all = ir::const_true();
    for (size_t d = 0; d < multiples.size(); ++d) {
        if (multiples[d] == 0) continue;
        for (const char *field : {"extent.", "min."}) {
            const std::string name = output.name() + "." + field + std::to_string(d);
            const Halide::Expr end = ir::Variable::make(Halide::Int(32), name);
            all = with(all, end % static_cast<int>(multiples[d]) == 0);
        }
    }
    return all;
}

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

bool is_gpu(DirectiveOp op) {
    return op == DirectiveOp::gpu_blocks || op == DirectiveOp::gpu_threads ||
           op == DirectiveOp::gpu_single_thread;
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
          loops_(read_loops(funcs_)),
          reductions_(schedule, [this](int func, int stage, int loop) {
              const ir::Dim *dim = find_loop(func, stage, loop);
              return dim != nullptr && dim->is_rvar();
          }) {}

    Status run();
    std::vector<Halide::Func> take_funcs() && { return std::move(funcs_); }

private:
    // The loops of every stage of every Func before the first directive.
    using StageLoops = std::vector<ir::Dim>;
    using FuncLoops = std::vector<StageLoops>;

    static std::vector<FuncLoops> read_loops(const std::vector<Halide::Func> &funcs);
    const ir::Dim *find_loop(int func, int stage, int loop) const;
    bool has_func(int func) const {
        return func >= 0 && static_cast<size_t>(func) < funcs_.size() &&
               funcs_[static_cast<size_t>(func)].defined();
    }
    bool has_stage(int func, int stage) const {
        return has_func(func) && stage >= 0 &&
               static_cast<size_t>(stage) < loops_[static_cast<size_t>(func)].size();
    }
    std::optional<std::string> malformed(const Directive &directive) const;
    std::optional<std::string> unknown_loop(int func, int stage, const LoopRef &loop) const;
    std::optional<std::string> extern_in_kernel(const Directive &directive) const;
    Error error(size_t index, const std::string &why) const;
    VarOrRVar loop(const Directive &directive, size_t i) const;
    VarOrRVar site_loop(const Directive &directive) const;
    std::optional<std::string> malformed_wrapper(const Directive &directive) const;
    std::optional<std::string> malformed_branch(const Directive &directive) const;
    ir::Definition definition_of_branch(const Directive &directive) const;
    Halide::Stage branch_of(const Directive &directive) const;
    const Halide::Func *site_of(const Directive &directive) const;
    Halide::Stage branch_in_branch(const Directive &directive) const;
    void specialize(const Directive &directive) const;
    void specialize_aligned(const Directive &directive);
    void apply(const Directive &directive);
    void make_wrapper(const Directive &directive);
    void rfactor(const Directive &directive);
    void add_func(int number, const Halide::Func &func);
    std::optional<std::string> malformed_factor(const Directive &directive) const;
    void apply_to_func(const Directive &directive) const;
    void apply_to_stage(const Directive &directive) const;

    const Schedule &schedule_;
    size_t first_;
    std::vector<Halide::Func> funcs_;
    std::vector<FuncLoops> loops_;
    ReductionLoops reductions_;
    std::map<std::pair<int, int>, ir::Definition> aligned_;  // branches of Funcs and stages
};

std::vector<Applier::FuncLoops> Applier::read_loops(const std::vector<Halide::Func> &funcs) {
    std::vector<FuncLoops> result;
    for (const Halide::Func &func : funcs) {
        FuncLoops &stages = result.emplace_back();
        if (!func.defined()) continue;  // a number that no Func has
        for (int stage = 0; stage <= func.num_update_definitions(); ++stage) {
            StageLoops dims = stage_of(func, stage).get_schedule().dims();
            // Halide's own __outermost comes last.
            if (!dims.empty()) dims.pop_back();
            stages.push_back(std::move(dims));
        }
    }
    return result;
}

const ir::Dim *Applier::find_loop(int func, int stage, int loop) const {
    if (!has_stage(func, stage)) return nullptr;
    const StageLoops &loops = loops_[static_cast<size_t>(func)][static_cast<size_t>(stage)];
    if (loop < 0 || static_cast<size_t>(loop) >= loops.size()) return nullptr;
    return &loops[static_cast<size_t>(loop)];
}

std::optional<std::string> Applier::unknown_loop(int func, int stage, const LoopRef &loop) const {
    if (!loop.is_original() || find_loop(func, stage, loop.original) != nullptr) {
        return std::nullopt;
    }
    const size_t count = loops_[static_cast<size_t>(func)][static_cast<size_t>(stage)].size();
    return describe_stage(funcs_[static_cast<size_t>(func)].name(), stage) + " has " +
           std::to_string(count) + " loops; there is no loop at position " +
           std::to_string(loop.original);
}

// Returns why the call cannot even be made; the rest is for Halide to judge.
std::optional<std::string> Applier::malformed(const Directive &directive) const {
    const DirectiveShape fields = shape(directive.op);
    if (fields.wrapper) return malformed_wrapper(directive);
    if (!has_func(directive.func)) {
        return "the pipeline has " + std::to_string(funcs_.size()) + " Funcs; there is no Func " +
               std::to_string(directive.func);
    }
    if (!has_stage(directive.func, directive.stage)) {
        return "Func " + funcs_[static_cast<size_t>(directive.func)].name() + " has no stage " +
               std::to_string(directive.stage);
    }
    if (directive.loops.size() < fields.min_loops || directive.loops.size() > fields.max_loops) {
        return std::string(to_string(directive.op)) + " can't take " +
               std::to_string(directive.loops.size()) + " loops";
    }
    for (const LoopRef &loop : directive.loops) {
        if (auto why = unknown_loop(directive.func, directive.stage, loop)) return why;
    }
    if (auto why = malformed_branch(directive)) return why;
    if (auto why = malformed_factor(directive)) return why;
    const bool may_lack = directive.op == DirectiveOp::specialize_aligned;
    const bool needs_site = fields.multiples || (fields.aligned && !may_lack);
    if ((needs_site || (may_lack && directive.site_func >= 0)) && !has_func(directive.site_func)) {
        return "there is no Func " + std::to_string(directive.site_func);
    }
    for (const api::PixelBuffer &buffer : directive.buffers) {
        if (buffer.func >= 0 && !has_func(buffer.func)) {
            return "there is no Func " + std::to_string(buffer.func);
        }
    }
    if (may_lack && (directive.stage == 0 || !directive.loops.front().is_original())) {
        return "it takes a loop of a reduction that is an update's own";
    }
    constexpr int64_t kMaxFactor = std::numeric_limits<int32_t>::max();
    if (fields.dimension && !directive.loops.front().is_original()) {
        return "it takes a dimension of the Func, not a loop that is made";
    }
    if ((fields.split || fields.dimension) &&
        (directive.factor < 1 || directive.factor > kMaxFactor)) {
        return std::string(name_of_factor(directive.op)) + " must be in [1, " +
               std::to_string(kMaxFactor) + "], found " + std::to_string(directive.factor);
    }
    if (!fields.site) return std::nullopt;
    if (!has_stage(directive.site_func, directive.site_stage)) {
        return "there is no Func " + std::to_string(directive.site_func) + " with a stage " +
               std::to_string(directive.site_stage) + " to compute it in";
    }
    if (auto why = unknown_loop(directive.site_func, directive.site_stage, directive.site_loop)) {
        return why;
    }
    return is_func_level(directive.op) ? extern_in_kernel(directive) : std::nullopt;
}

std::optional<std::string> Applier::malformed_wrapper(const Directive &directive) const {
    if (!has_func(directive.wrapped_func)) {
        return "there is no Func " + std::to_string(directive.wrapped_func);
    }
    if (directive.reader_func >= 0 && !has_func(directive.reader_func)) {
        return "there is no Func " + std::to_string(directive.reader_func);
    }
    if (directive.func < 0 || directive.func >= kMaxFuncs || has_func(directive.func)) {
        return "a wrapper needs an index of its own below " + std::to_string(kMaxFuncs);
    }
    return std::nullopt;
}

std::optional<std::string> Applier::malformed_factor(const Directive &directive) const {
    if (!shape(directive.op).factor) return std::nullopt;
    if (directive.stage == 0) return "only an update is a reduction";
    if (directive.loops.size() % 2 != 0) return "each loop needs a dimension";
    const int made = directive.made_func;
    if (made >= 0 && made < kMaxFuncs && !has_func(made)) return std::nullopt;
    return "what it makes needs an index of its own below " + std::to_string(kMaxFuncs);
}

std::optional<std::string> Applier::malformed_branch(const Directive &directive) const {
    if (shape(directive.op).extents) {
        if (!has_func(directive.site_func)) {
            return "there is no Func " + std::to_string(directive.site_func);
        }
        const Halide::Func &site = funcs_[static_cast<size_t>(directive.site_func)];
        for (const LoopRef &loop : directive.loops) {
            const bool is_of_func = directive.site_func == directive.func;
            if (directive.stage == 0 || !is_of_func || !loop.is_original()) {
                return "it takes loops of a reduction that are an update's own";
            }
        }
        const size_t conditions = static_cast<size_t>(site.dimensions()) + directive.loops.size();
        for (const std::vector<int64_t> &extents : {directive.least, directive.most}) {
            if (extents.size() == conditions) continue;
            const std::string named = std::to_string(directive.loops.size()) + " loops are named";
            return site.name() + " has " + std::to_string(site.dimensions()) + " dimensions" +
                   (directive.loops.empty() ? "" : ", and " + named) + ", not " +
                   std::to_string(extents.size());
        }
        return std::nullopt;
    }
    const auto key = std::pair(directive.func, directive.stage);
    if (directive.branch == Branch::aligned) {
        if (aligned_.contains(key)) return std::nullopt;
        return "the stage has no schedule of its own for aligned rows";
    }
    if (directive.op == DirectiveOp::specialize_aligned && aligned_.contains(key)) {
        return "the stage has a schedule for aligned rows already";
    }
    if (directive.branch == Branch::otherwise) return std::nullopt;
    Halide::Func func = funcs_[static_cast<size_t>(directive.func)];
    if (definition_of(func, directive.stage).specializations().size() == 1) return std::nullopt;
    return "the stage has no schedule of its own for full tiles";
}

// Halide's own specialize() takes conditions on parameters only.
void Applier::specialize(const Directive &directive) const {
    Halide::Func func = funcs_[static_cast<size_t>(directive.func)];
    const Halide::Func &site = funcs_[static_cast<size_t>(directive.site_func)];
    std::vector<Halide::Expr> extents;
    for (const std::string &dimension : site.function().args()) {
        extents.push_back(computed_extent(site, 0, dimension));
    }
    for (const LoopRef &reduction : directive.loops) {
        const ir::Dim *own = find_loop(directive.func, directive.stage, reduction.original);
        extents.push_back(computed_extent(func, directive.stage, own->var));
    }
    definition_of(func, directive.stage).add_specialization(extents_fit(extents, directive));
}

ir::Definition Applier::definition_of_branch(const Directive &directive) const {
    Halide::Func func = funcs_[static_cast<size_t>(directive.func)];
    const ir::Definition &definition = definition_of(func, directive.stage);
    if (directive.branch == Branch::aligned) return aligned_.at({directive.func, directive.stage});
    return directive.branch == Branch::otherwise ? definition
                                                 : definition.specializations().front().definition;
}

Halide::Stage Applier::branch_of(const Directive &directive) const {
    Halide::Func func = funcs_[static_cast<size_t>(directive.func)];
    if (directive.branch == Branch::otherwise) return stage_of(func, directive.stage);
    return Halide::Stage(func.function(), definition_of_branch(directive),
                         static_cast<size_t>(directive.stage));
}

// Null where the directive names none.
const Halide::Func *Applier::site_of(const Directive &directive) const {
    return directive.site_func < 0 ? nullptr : &funcs_[static_cast<size_t>(directive.site_func)];
}

// A schedule in the schedule that the directive belongs to, as that one is so far.
Halide::Stage Applier::branch_in_branch(const Directive &directive) const {
    Halide::Func func = funcs_[static_cast<size_t>(directive.func)];
    const Halide::Func *output = site_of(directive);
    ir::Definition branch = definition_of_branch(directive);
    const DirectiveShape fields = shape(directive.op);
    const Halide::Expr condition = fields.aligned ? rows_are_aligned(output, directive.inputs)
                                   : fields.pixels
                                       ? pixels_are_aligned(funcs_, directive)
                                       : ends_are_multiples(*output, directive.multiples);
    return Halide::Stage(func.function(), branch.add_specialization(condition).definition,
                         static_cast<size_t>(directive.stage));
}

void Applier::specialize_aligned(const Directive &directive) {
    const Halide::Func *output = site_of(directive);
    ir::Definition branch = definition_of_branch(directive);
    const ir::Dim *own = find_loop(directive.func, directive.stage, directive.loops[0].original);
    const Halide::Expr rows = rows_are_aligned(output, directive.inputs);
    aligned_.emplace(std::pair(directive.func, directive.stage),
                     branch.add_specialization(with(has_fours(branch, own->var), rows)).definition);
}

// Halide 21 crashes, instead of raising an error, when it lowers an extern stage inside a kernel.
std::optional<std::string> Applier::extern_in_kernel(const Directive &directive) const {
    const Halide::Func &func = funcs_[static_cast<size_t>(directive.func)];
    if (!func.function().has_extern_definition()) return std::nullopt;
    std::map<int, int> site_of;
    std::set<int> on_gpu;
    for (const Directive &other : schedule_) {
        if (shape(other.op).site && is_func_level(other.op)) site_of[other.func] = other.site_func;
        if (is_gpu(other.op)) on_gpu.insert(other.func);
    }
    std::set<int> seen;
    for (int at = directive.site_func; seen.insert(at).second;) {
        if (on_gpu.contains(at)) {
            return "the extern stage " + func.name() + " can't be computed inside a GPU kernel";
        }
        const auto outer = site_of.find(at);
        if (outer == site_of.end()) break;
        at = outer->second;
    }
    return std::nullopt;
}

Error Applier::error(size_t index, const std::string &why) const {
    Directive directive = schedule_[index];
    if (has_func(directive.func)) {
        directive.func_name = funcs_[static_cast<size_t>(directive.func)].name();
    }
    std::string site;
    if (has_func(directive.site_func)) {
        site = funcs_[static_cast<size_t>(directive.site_func)].name();
    }
    return Error{"directive " + std::to_string(first_ + index) + ", " + describe(directive, site) +
                 ": " + why};
}

VarOrRVar Applier::loop(const Directive &directive, size_t i) const {
    const LoopRef &ref = directive.loops[i];
    const bool reduction = reductions_.contains(directive.func, directive.stage, ref);
    const ir::Dim *own = find_loop(directive.func, directive.stage, ref.original);
    return loop_var(own != nullptr ? own->var : ref.name, reduction);
}

void Applier::apply_to_func(const Directive &directive) const {
    Halide::Func func = funcs_[static_cast<size_t>(directive.func)];
    if (directive.op == DirectiveOp::compute_root) {
        func.compute_root();
    } else if (directive.op == DirectiveOp::store_in) {
        func.store_in(to_halide(directive.memory));
    } else if (directive.op == DirectiveOp::reorder_storage) {
        std::vector<Halide::Var> dims;
        for (const LoopRef &loop : directive.loops) {
            const ir::Dim *own = find_loop(directive.func, 0, loop.original);
            dims.emplace_back(own != nullptr ? own->var : loop.name);
        }
        func.reorder_storage(dims);
    } else if (shape(directive.op).dimension) {
        const ir::Dim *own = find_loop(directive.func, 0, directive.loops.front().original);
        const auto number = static_cast<int>(directive.factor);
        if (directive.op == DirectiveOp::align_storage) {
            func.align_storage(Halide::Var(own->var), number);
        } else if (directive.op == DirectiveOp::bound_storage) {
            func.bound_storage(Halide::Var(own->var), number);
        } else {
            func.bound_extent(Halide::Var(own->var), number);
        }
    } else {
        const Halide::LoopLevel level(funcs_[static_cast<size_t>(directive.site_func)],
                                      site_loop(directive));
        if (directive.op == DirectiveOp::store_at) {
            func.store_at(level);
        } else {
            func.compute_at(level);
        }
    }
}

VarOrRVar Applier::site_loop(const Directive &directive) const {
    const ir::Dim *own =
        find_loop(directive.site_func, directive.site_stage, directive.site_loop.original);
    return loop_var(own != nullptr ? own->var : directive.site_loop.name,
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
        case DirectiveOp::compute_with:
            stage.compute_with(
                stage_of(funcs_[static_cast<size_t>(directive.site_func)], directive.site_stage),
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
        case DirectiveOp::in:
        case DirectiveOp::rfactor:
        case DirectiveOp::reorder_storage:
        case DirectiveOp::for_sizes:
        case DirectiveOp::repeat_for_multiples:  // the branch is made
            break;
    }
}

void Applier::make_wrapper(const Directive &directive) {
    Halide::Func wrapped = funcs_[static_cast<size_t>(directive.wrapped_func)];
    add_func(directive.func, directive.reader_func < 0
                                 ? wrapped.in()
                                 : wrapped.in(funcs_[static_cast<size_t>(directive.reader_func)]));
}

// Takes loops of an update out into a Func of partial results. The loops of the update are others
// afterwards.
void Applier::rfactor(const Directive &directive) {
    const size_t count = directive.loops.size() / 2;
    std::vector<std::pair<Halide::RVar, Halide::Var>> pairs;
    for (size_t i = 0; i < count; ++i) {
        const LoopRef &out = directive.loops[i];
        const ir::Dim *own = find_loop(directive.func, directive.stage, out.original);
        pairs.emplace_back(Halide::RVar(own != nullptr ? own->var : out.name),
                           Halide::Var(directive.loops[count + i].name));
    }
    const Halide::Func func = funcs_[static_cast<size_t>(directive.func)];
    add_func(directive.made_func, stage_of(func, directive.stage).rfactor(std::move(pairs)));
    add_func(directive.func, func);
}

// Loops are read again where there is a Func of that number.
void Applier::add_func(int number, const Halide::Func &func) {
    const auto index = static_cast<size_t>(number);
    if (index >= funcs_.size()) {
        funcs_.resize(index + 1);
        loops_.resize(index + 1);
    }
    funcs_[index] = func;
    loops_[index] = std::move(read_loops({func}).front());
}

void Applier::apply(const Directive &directive) {
    if (shape(directive.op).wrapper) {
        make_wrapper(directive);
    } else if (shape(directive.op).factor) {
        rfactor(directive);
    } else if (directive.op == DirectiveOp::specialize_aligned) {
        specialize_aligned(directive);
    } else if (is_func_level(directive.op)) {
        apply_to_func(directive);
    } else {
        apply_to_stage(directive);
    }
}

Status Applier::run() {
    for (size_t i = 0; i < schedule_.size(); ++i) {
        if (auto why = malformed(schedule_[i])) return error(i, *why);
        if (auto why = halide_error([&] { apply(schedule_[i]); })) return error(i, *why);
    }
    return Ok{};
}

}  // namespace

std::vector<Halide::Func> all_funcs(const Halide::Pipeline &pipeline) {
    const std::vector<ir::Function> outputs = functions_of(pipeline.outputs());
    const std::map<std::string, ir::Function> environment = ir::build_environment(outputs);
    std::vector<Halide::Func> funcs;
    for (const std::string &name : ir::topological_order(outputs, environment)) {
        funcs.emplace_back(environment.at(name));
    }
    return funcs;
}

namespace {

// Returns all Funcs, with those that were made. `first`: the number of the first directive, for
// messages.
Result<std::vector<Halide::Func>> applied(const Schedule &schedule, std::vector<Halide::Func> funcs,
                                          size_t first) {
    Applier applier(schedule, std::move(funcs), first);
    if (Status status = applier.run(); !status) return status.error();
    return std::move(applier).take_funcs();
}

// The same of a schedule that may take reductions apart.
Result<std::vector<Halide::Func>> apply_to_funcs(const Schedule &schedule,
                                                 const std::vector<Halide::Func> &funcs,
                                                 size_t first) {
    const auto [factors, rest] = split_off_factors(schedule);
    Result<std::vector<Halide::Func>> factored = applied(factors, funcs, first);
    if (!factored) return factored;
    return applied(rest, std::move(factored).value(), first + factors.size());
}

// Of the buffers of outputs and of inputs.
Result<Halide::Expr> condition_of(const SizeSection &section,
                                  const std::vector<Halide::Func> &funcs) {
    Halide::Expr all = ir::const_true();
    for (const api::LeastExtent &one : section.extents) {
        std::string buffer = one.input;
        if (one.func >= 0) {
            const auto index = static_cast<size_t>(one.func);
            if (index >= funcs.size() || funcs[index].function().output_buffers().empty()) {
                return Error{"there is no output of the number " + std::to_string(one.func)};
            }
            buffer = funcs[index].function().output_buffers().front().name();
        }
        const std::string name = buffer + ".extent." + std::to_string(one.dimension);
        all = with(all, ir::Variable::make(Halide::Int(32), name) >= static_cast<int>(one.least));
    }
    return all;
}

// Each on Funcs of its own; the last on the pipeline's, which are returned.
Result<std::vector<Halide::Func>> apply_sections(const std::vector<SizeSection> &sections,
                                                 const Halide::Pipeline &pipeline) {
    const std::vector<Halide::Func> funcs = all_funcs(pipeline);
    std::vector<SizedCopy> copies;
    for (size_t i = 0; i + 1 < sections.size(); ++i) {
        copies.push_back(copy_for_sizes(funcs, pipeline, i));
    }
    std::vector<Halide::Func> scheduled;
    for (size_t i = 0; i < sections.size(); ++i) {
        const std::vector<Halide::Func> &of = i < copies.size() ? copies[i].funcs : funcs;
        auto done = apply_to_funcs(sections[i].schedule, of, sections[i].first + 1);
        if (!done) return done;
        scheduled = std::move(done).value();
    }
    for (size_t i = copies.size(); i-- > 0;) {
        const Result<Halide::Expr> condition = condition_of(sections[i], funcs);
        if (!condition) return condition.error();
        compute_as_in(copies[i], funcs, pipeline, *condition);
    }
    return scheduled;
}

}  // namespace

Result<std::vector<Halide::Func>> apply_factors(const Schedule &factors,
                                                Halide::Pipeline pipeline) {
    if (!pipeline.defined()) return Error{"the pipeline has no outputs"};
    Result<std::vector<Halide::Func>> funcs = applied(factors, all_funcs(pipeline), 1);
    pipeline.invalidate_cache();
    return funcs;
}

Status apply_schedule(const Schedule &schedule, Halide::Pipeline pipeline) {
    const Result<std::vector<Halide::Func>> funcs = scheduled_funcs(schedule, std::move(pipeline));
    if (!funcs) return funcs.error();
    return Ok{};
}

Result<std::vector<Halide::Func>> scheduled_funcs(const Schedule &schedule,
                                                  Halide::Pipeline pipeline) {
    if (!pipeline.defined()) return Error{"the pipeline has no outputs"};
    const std::vector<SizeSection> sections = split_by_sizes(schedule);
    auto funcs = sections.size() == 1 ? apply_to_funcs(sections[0].schedule, all_funcs(pipeline),
                                                       sections[0].first + 1)
                                      : apply_sections(sections, pipeline);
    pipeline.invalidate_cache();
    return funcs;
}

Halide::Pipeline deep_copy_pipeline(const Halide::Pipeline &pipeline) {
    const std::vector<ir::Function> outputs = functions_of(pipeline.outputs());
    std::vector<Halide::Func> copies;
    for (ir::Function &copy : ir::deep_copy(outputs, ir::build_environment(outputs)).first) {
        copies.emplace_back(copy);
    }
    return Halide::Pipeline(copies, pipeline.requirements());
}

}  // namespace autoschedule_gpu
