#include "halide/apply/malformed.h"

#include <limits>
#include <set>
#include <string_view>

namespace autoschedule_gpu {
namespace {

std::string_view name_of_factor(DirectiveOp op) {
    if (op == DirectiveOp::split) return "a split factor";
    if (op == DirectiveOp::specialize_steps) return "a number of steps";
    return op == DirectiveOp::align_storage ? "an alignment factor" : "an extent";
}

bool is_gpu(DirectiveOp op) {
    return op == DirectiveOp::gpu_blocks || op == DirectiveOp::gpu_threads ||
           op == DirectiveOp::gpu_single_thread;
}

class Check {
public:
    Check(const Schedule &schedule, const NumberedFuncs &funcs, const AlignedBranches &aligned)
        : schedule_(schedule), funcs_(funcs), aligned_(aligned) {}

    std::optional<std::string> run(const Directive &directive) const {
        const DirectiveShape fields = shape(directive.op);
        if (fields.wrapper) return malformed_wrapper(directive);
        if (!funcs_.has_func(directive.func)) {
            return "the pipeline has " + std::to_string(funcs_.size()) +
                   " Funcs; there is no Func " + std::to_string(directive.func);
        }
        if (!funcs_.has_stage(directive.func, directive.stage)) {
            return "Func " + funcs_.func(directive.func).name() + " has no stage " +
                   std::to_string(directive.stage);
        }
        if (directive.loops.size() < fields.min_loops ||
            directive.loops.size() > fields.max_loops) {
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
        if ((needs_site || (may_lack && directive.site_func >= 0)) &&
            !funcs_.has_func(directive.site_func)) {
            return "there is no Func " + std::to_string(directive.site_func);
        }
        for (const api::PixelBuffer &buffer : directive.buffers) {
            if (buffer.func >= 0 && !funcs_.has_func(buffer.func)) {
                return "there is no Func " + std::to_string(buffer.func);
            }
        }
        const bool begins = begins_aligned(directive.op);
        if (begins && (directive.stage == 0 || !directive.loops.front().is_original())) {
            return "it takes a loop of a reduction that is an update's own";
        }
        constexpr int64_t kMaxFactor = std::numeric_limits<int32_t>::max();
        if (fields.dimension && !directive.loops.front().is_original()) {
            return "it takes a dimension of the Func, not a loop that is made";
        }
        if ((fields.split || fields.dimension || fields.steps) &&
            (directive.factor < 1 || directive.factor > kMaxFactor)) {
            return std::string(name_of_factor(directive.op)) + " must be in [1, " +
                   std::to_string(kMaxFactor) + "], found " + std::to_string(directive.factor);
        }
        if (!fields.site) return std::nullopt;
        if (!funcs_.has_stage(directive.site_func, directive.site_stage)) {
            return "there is no Func " + std::to_string(directive.site_func) + " with a stage " +
                   std::to_string(directive.site_stage) + " to compute it in";
        }
        if (auto why =
                unknown_loop(directive.site_func, directive.site_stage, directive.site_loop)) {
            return why;
        }
        return is_func_level(directive.op) ? extern_in_kernel(directive) : std::nullopt;
    }

private:
    std::optional<std::string> unknown_loop(int func, int stage, const LoopRef &loop) const {
        if (!loop.is_original() || funcs_.find_loop(func, stage, loop.original) != nullptr) {
            return std::nullopt;
        }
        const size_t count = funcs_.count_loops(func, stage);
        return describe_stage(funcs_.func(func).name(), stage) + " has " + std::to_string(count) +
               " loops; there is no loop at position " + std::to_string(loop.original);
    }

    std::optional<std::string> malformed_wrapper(const Directive &directive) const {
        if (!funcs_.has_func(directive.wrapped_func)) {
            return "there is no Func " + std::to_string(directive.wrapped_func);
        }
        if (directive.reader_func >= 0 && !funcs_.has_func(directive.reader_func)) {
            return "there is no Func " + std::to_string(directive.reader_func);
        }
        if (directive.func < 0 || directive.func >= kMaxFuncs || funcs_.has_func(directive.func)) {
            return "a wrapper needs an index of its own below " + std::to_string(kMaxFuncs);
        }
        return std::nullopt;
    }

    std::optional<std::string> malformed_factor(const Directive &directive) const {
        if (!shape(directive.op).factor) return std::nullopt;
        if (directive.stage == 0) return "only an update is a reduction";
        if (directive.loops.size() % 2 != 0) return "each loop needs a dimension";
        const int made = directive.made_func;
        if (made >= 0 && made < kMaxFuncs && !funcs_.has_func(made)) return std::nullopt;
        return "what it makes needs an index of its own below " + std::to_string(kMaxFuncs);
    }

    std::optional<std::string> malformed_branch(const Directive &directive) const {
        if (shape(directive.op).extents) {
            if (!funcs_.has_func(directive.site_func)) {
                return "there is no Func " + std::to_string(directive.site_func);
            }
            const Halide::Func &site = funcs_.func(directive.site_func);
            for (const LoopRef &loop : directive.loops) {
                const bool is_of_func = directive.site_func == directive.func;
                if (directive.stage == 0 || !is_of_func || !loop.is_original()) {
                    return "it takes loops of a reduction that are an update's own";
                }
            }
            const size_t conditions =
                static_cast<size_t>(site.dimensions()) + directive.loops.size();
            for (const std::vector<int64_t> &extents : {directive.least, directive.most}) {
                if (extents.size() == conditions) continue;
                const std::string named =
                    std::to_string(directive.loops.size()) + " loops are named";
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
        if (begins_aligned(directive.op) && aligned_.contains(key)) {
            return "the stage has a schedule for aligned rows already";
        }
        if (directive.branch == Branch::otherwise) return std::nullopt;
        Halide::Func func = funcs_.func(directive.func);
        if (definition_of(func, directive.stage).specializations().size() == 1) return std::nullopt;
        return "the stage has no schedule of its own for full tiles";
    }

    // Halide 21 crashes, instead of raising an error, when it lowers an extern stage inside a
    // kernel.
    std::optional<std::string> extern_in_kernel(const Directive &directive) const {
        const Halide::Func &func = funcs_.func(directive.func);
        if (!func.function().has_extern_definition()) return std::nullopt;
        std::map<int, int> site_of;
        std::set<int> on_gpu;
        for (const Directive &other : schedule_) {
            if (shape(other.op).site && is_func_level(other.op))
                site_of[other.func] = other.site_func;
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

    const Schedule &schedule_;
    const NumberedFuncs &funcs_;
    const AlignedBranches &aligned_;
};

}  // namespace

std::optional<std::string> malformed(const Directive &directive, const Schedule &schedule,
                                     const NumberedFuncs &funcs, const AlignedBranches &aligned) {
    return Check(schedule, funcs, aligned).run(directive);
}

}  // namespace autoschedule_gpu
