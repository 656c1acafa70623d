#include "scheduler/schedule/directive.h"

#include <algorithm>
#include <array>
#include <utility>

namespace autoschedule_gpu {
namespace {

struct OpEntry {
    std::string_view name;
    bool func_level;
    DirectiveShape shape;
};

// Any number of loops; a stage has fewer than this.
constexpr size_t kAnyLoops = 1 << 16;

// In the order of DirectiveOp.
constexpr std::array<OpEntry, kDirectiveOps> kOps = {{
    {"compute_root", true, {}},
    {"compute_at", true, {.site = true}},
    {"store_in", true, {.memory = true}},
    {"in", true, {.wrapper = true}},
    {"split", false, {.min_loops = 3, .max_loops = 3, .split = true, .first_made = 1}},
    {"fuse", false, {.min_loops = 3, .max_loops = 3, .first_made = 2}},
    {"reorder", false, {.min_loops = 1, .max_loops = kAnyLoops}},
    {"unroll", false, {.min_loops = 1, .max_loops = 1}},
    {"vectorize", false, {.min_loops = 1, .max_loops = 1}},
    {"gpu_blocks", false, {.min_loops = 1, .max_loops = 3}},
    {"gpu_threads", false, {.min_loops = 1, .max_loops = 3}},
    {"gpu_single_thread", false, {}},
    {"atomic", false, {}},
    {"align_storage", true, {.min_loops = 1, .max_loops = 1, .dimension = true}},
    {"specialize", false, {.max_loops = kMaxDimensions, .extents = true}},
    {"rfactor", false, {.max_loops = 2 * kMaxDimensions, .factor = true}},
    {"reorder_storage", true, {.min_loops = 2, .max_loops = kMaxDimensions}},
    {"vectorize_aligned", false, {.min_loops = 1, .max_loops = 1, .aligned = true}},
    {"repeat_for_multiples", false, {.multiples = true}},
    {"specialize_aligned", false, {.min_loops = 1, .max_loops = 1, .aligned = true}},
    {"bound_extent", true, {.min_loops = 1, .max_loops = 1, .dimension = true}},
    {"for_sizes", true, {.sizes = true}},
    {"compute_with", false, {.site = true}},
    {"store_at", true, {.site = true}},
    {"vectorize_pixels", false, {.min_loops = 1, .max_loops = 1, .pixels = true}},
    {"bound_storage", true, {.min_loops = 1, .max_loops = 1, .dimension = true}},
    {"parallel", false, {.min_loops = 1, .max_loops = 1}},
    {"specialize_steps", false, {.min_loops = 1, .max_loops = 1, .steps = true}},
}};
static_assert(static_cast<int>(DirectiveOp::specialize_steps) + 1 == kDirectiveOps);

constexpr std::array<std::string_view, kTailStrategies> kTails = {"Auto", "GuardWithIf",
                                                                  "ShiftInwards", "RoundUp"};
static_assert(static_cast<int>(TailStrategy::round_up) + 1 == kTailStrategies);

constexpr std::array<std::string_view, 3> kBranches = {"otherwise", "full_tiles", "aligned"};

constexpr std::array<std::string_view, kMemoryKinds> kMemories = {"Auto", "GPUShared", "Register",
                                                                  "Heap", "Stack",     "Host"};
static_assert(static_cast<int>(MemoryKind::global) + 1 == kStorableMemoryKinds);
static_assert(static_cast<int>(MemoryKind::host) + 1 == kMemoryKinds);

const OpEntry &entry(DirectiveOp op) {
    return kOps[static_cast<size_t>(op)];
}

template <typename Enum, size_t N>
std::optional<Enum> find_name(const std::array<std::string_view, N> &names, std::string_view name) {
    for (size_t i = 0; i < N; ++i) {
        if (names[i] == name) return static_cast<Enum>(i);
    }
    return std::nullopt;
}

// "64.. x 8..524280"; "any" where any extent will do.
std::string extents_text(const Directive &specialize) {
    std::string text;
    for (size_t d = 0; d < std::min(specialize.least.size(), specialize.most.size()); ++d) {
        const int64_t least = specialize.least[d], most = specialize.most[d];
        text += text.empty() ? "" : " x ";
        if (least > 0) text += std::to_string(least);
        text += least > 0 || most > 0 ? ".." : "any";
        if (most > 0) text += std::to_string(most);
    }
    return text;
}

// "Func 2.extent.0 >= 544, in.extent.1 >= 641"; "any" without a condition.
std::string conditions_text(const Directive &for_sizes) {
    std::string text;
    for (const api::LeastExtent &one : for_sizes.extents) {
        const std::string buffer = one.func < 0 ? one.input : "Func " + std::to_string(one.func);
        text += (text.empty() ? "" : ", ") + buffer + ".extent." + std::to_string(one.dimension) +
                " >= " + std::to_string(one.least);
    }
    return text.empty() ? "any" : text;
}

// "8, Func 2 by 3, in by 1"
std::string pixels_text(const Directive &vectorize) {
    std::string text = std::to_string(vectorize.factor);
    for (const api::PixelBuffer &one : vectorize.buffers) {
        const std::string buffer = one.func < 0 ? one.input : "Func " + std::to_string(one.func);
        text += ", " + buffer + " by " + std::to_string(one.step);
    }
    return text;
}

// "{{ru, u}, {rb, b}}"
std::string factored_loops(const Directive &rfactor, const LoopSpelling &loop) {
    std::string text;
    const size_t count = rfactor.loops.size() / 2;
    for (size_t i = 0; i < count; ++i) {
        text += (i == 0 ? "{" : ", {") + loop(rfactor.loops[i]) + ", " +
                loop(rfactor.loops[count + i]) + "}";
    }
    return "{" + text + "}";
}

std::string display_name(const LoopRef &loop) {
    if (!loop.name.empty() || !loop.is_original()) return loop.name;
    return "loop " + std::to_string(loop.original);
}

}  // namespace

std::string_view to_string(DirectiveOp op) {
    return entry(op).name;
}
std::string_view to_string(Branch branch) {
    return kBranches[static_cast<size_t>(branch)];
}
std::string_view to_string(TailStrategy tail) {
    return kTails[static_cast<size_t>(tail)];
}
std::string_view to_string(MemoryKind memory) {
    return kMemories[static_cast<size_t>(memory)];
}

std::optional<DirectiveOp> parse_directive_op(std::string_view name) {
    for (size_t i = 0; i < kOps.size(); ++i) {
        if (kOps[i].name == name) return static_cast<DirectiveOp>(i);
    }
    return std::nullopt;
}

std::optional<TailStrategy> parse_tail_strategy(std::string_view name) {
    return find_name<TailStrategy>(kTails, name);
}

std::optional<MemoryKind> parse_memory_kind(std::string_view name) {
    const std::optional<MemoryKind> memory = find_name<MemoryKind>(kMemories, name);
    return memory && is_storable(*memory) ? memory : std::nullopt;
}

bool is_func_level(DirectiveOp op) {
    return entry(op).func_level;
}

DirectiveShape shape(DirectiveOp op) {
    return entry(op).shape;
}

bool begins_aligned(DirectiveOp op) {
    return op == DirectiveOp::specialize_aligned || op == DirectiveOp::specialize_steps;
}

std::string call_text(const Directive &directive, const LoopSpelling &loop,
                      std::string_view site_func, std::string_view site_loop) {
    const DirectiveShape fields = shape(directive.op);
    std::string arguments;
    const auto append = [&arguments](std::string_view argument) {
        if (!arguments.empty()) arguments += ", ";
        arguments += argument;
    };
    if (fields.site) {
        // A Func is computed in the loops of a Func, a stage with those of a stage.
        append(is_func_level(directive.op) ? std::string(site_func)
                                           : describe_stage(site_func, directive.site_stage));
        append(site_loop);
    }
    if (fields.memory) append("MemoryType::" + std::string(to_string(directive.memory)));
    if (fields.factor) {
        append(factored_loops(directive, loop));
    } else {
        for (const LoopRef &ref : directive.loops) append(loop(ref));
    }
    if (fields.split) {
        append(std::to_string(directive.factor));
        append("TailStrategy::" + std::string(to_string(directive.tail)));
    }
    if (fields.dimension || fields.steps) append(std::to_string(directive.factor));
    if (fields.aligned) {
        if (directive.site_func >= 0) append(site_func);
        for (const api::InputBuffer &input : directive.inputs) append(input.name);
    }
    if (fields.multiples) {
        append(site_func);
        for (const int64_t multiple : directive.multiples) append(std::to_string(multiple));
    }
    if (fields.pixels) append(pixels_text(directive));
    if (fields.sizes) append(conditions_text(directive));
    if (fields.extents) append(std::string(site_func) + " of " + extents_text(directive));
    return std::string(to_string(directive.op)) + "(" + arguments + ")";
}

std::string describe_stage(std::string_view func_name, int stage) {
    std::string text(func_name);
    if (stage > 0) text += ".update(" + std::to_string(stage - 1) + ")";
    return text;
}

std::string describe(const Directive &directive, std::string_view site_func) {
    std::string func = directive.func_name;
    if (func.empty()) func = "Func " + std::to_string(directive.func);
    if (shape(directive.op).wrapper) {
        const std::string reader =
            directive.reader_func < 0 ? "" : "Func " + std::to_string(directive.reader_func);
        return func + " = Func " + std::to_string(directive.wrapped_func) + ".in(" + reader + ")";
    }
    std::string site(site_func);
    if (site.empty()) site = "Func " + std::to_string(directive.site_func);
    std::string stage = describe_stage(func, directive.stage);
    if (directive.branch != Branch::otherwise) {
        stage += '.';
        stage += to_string(directive.branch);
    }
    return stage + "." +
           call_text(directive, display_name, site, display_name(directive.site_loop));
}

ReductionLoops::ReductionLoops(const Schedule &schedule, Original original)
    : original_(std::move(original)) {
    for (const Directive &directive : schedule) {
        if (shape(directive.op).factor) pass_on(directive);
        const int first_made = shape(directive.op).first_made;
        if (first_made < 0) continue;
        bool reduction = false;
        for (size_t i = 0; i < directive.loops.size(); ++i) {
            const LoopRef &loop = directive.loops[i];
            if (static_cast<int>(i) < first_made) {
                reduction |= contains(directive.func, directive.stage, loop);
            } else {
                made_[{loop.name, directive.func, directive.stage}] = reduction;
            }
        }
    }
}

// What an rfactor makes has the loops of the stage that it takes apart, and those that it adds.
void ReductionLoops::pass_on(const Directive &rfactor) {
    constexpr int kUpdate = 1;  // the only one of what it makes
    const std::map<Key, bool> before = made_;
    for (const auto &[key, reduction] : before) {
        const auto &[name, func, stage] = key;
        if (func != rfactor.func || stage != rfactor.stage) continue;
        made_[{name, rfactor.made_func, kUpdate}] = reduction;
    }
    for (size_t i = rfactor.loops.size() / 2; i < rfactor.loops.size(); ++i) {
        made_[{rfactor.loops[i].name, rfactor.made_func, kUpdate}] = false;
    }
}

bool ReductionLoops::contains(int func, int stage, const LoopRef &loop) const {
    if (loop.is_original()) return original_(func, stage, loop.original);
    const auto it = made_.find({loop.name, func, stage});
    return it != made_.end() && it->second;
}

bool ReductionLoops::contains_site(const Directive &directive) const {
    const LoopRef &loop = directive.site_loop;
    const Key key{loop.name, directive.site_func, directive.site_stage};
    if (loop.is_original() || made_.contains(key)) {
        return contains(directive.site_func, directive.site_stage, loop);
    }
    const auto it = made_.lower_bound({loop.name, directive.site_func, 0});
    return it != made_.end() && std::get<0>(it->first) == loop.name &&
           std::get<1>(it->first) == directive.site_func && it->second;
}

}  // namespace autoschedule_gpu
