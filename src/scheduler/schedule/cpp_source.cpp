#include "scheduler/schedule/cpp_source.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "scheduler/schedule/cpp_factors.h"
#include "scheduler/schedule/cpp_identifiers.h"
#include "scheduler/schedule/cpp_sections.h"
#include "scheduler/schedule/directive_targets.h"
#include "scheduler/schedule/factors.h"
#include "scheduler/schedule/pixel_conditions.h"
#include "scheduler/schedule/string_literal.h"

namespace autoschedule_gpu {
namespace {

// Halide indents the text by four; the whole should fit into 100.
constexpr size_t kDeclarationColumns = 92;

class Writer {
public:
    // `pipeline`: what the text calls it. Names that stand around the text are not taken.
    Writer(const SplitSchedule &schedule, const Dag &dag, const Dag &factored,
           std::string pipeline = "pipeline", const std::vector<std::string> &taken = {})
        : pipeline_(std::move(pipeline)),
          factors_(schedule.factors),
          schedule_(schedule.rest),
          as_read_(dag),
          dag_(factored),
          reductions_(schedule.rest, reductions_of(factored)) {
        for (const std::string &name : taken) identifiers_.unique(name);
    }

    std::string write();

private:
    // An original loop; update stages share their pure loops with the pure definition, so those
    // are keyed by dimension (stage -1).
    struct OriginalKey {
        int func, stage, position;
        auto operator<=>(const OriginalKey &) const = default;
    };
    using MadeKey = std::pair<std::string, bool>;  // name, is reduction

    std::string func_name(int func) const;
    OriginalKey key(int func, int stage, int loop) const;

    bool uses(bool DirectiveShape::*what) const;
    std::string define(std::string_view name, std::string_view definition);
    void write_respected();
    void declare_funcs();
    void declare_wrappers();
    void write_factors();
    void declare_made_loops();
    void declare_site_loops();
    void declare_original(int func, int stage, const LoopRef &loop, std::string_view prefix,
                          std::string_view indent);
    void write_func(int func);
    void write_calls(int func, const std::vector<const Directive *> &calls);
    void write_specialize(const Directive &directive);
    void write_aligned(const Directive &directive);
    void write_steps(const Directive &directive);
    void write_pixels(const Directive &directive);
    void write_multiples(const Directive &directive);
    std::string spell(int func, int stage, const LoopRef &loop) const;
    std::string spell_site(const Directive &directive) const;
    void line(std::string text);

    const std::string pipeline_;
    const Schedule &factors_, &schedule_;
    const Dag &as_read_, &dag_;  // before and after the former
    ReductionLoops reductions_;
    Identifiers identifiers_;
    // The functions that the text defines for them.
    std::string specialize_, address_, aligned_, steps_, pixels_, multiples_;
    std::map<std::pair<int, Branch>, std::string> branches_;  // of the Func at hand, by stage
    std::vector<int> order_;  // Funcs in the order of their first directives
    std::map<int, std::string> funcs_;
    std::map<MadeKey, std::string> made_;
    std::map<OriginalKey, std::string> originals_;
    std::string text_;
};

void Writer::line(std::string text) {
    if (!text_.empty()) text_ += '\n';
    text_ += std::move(text);
}

std::string Writer::func_name(int func) const {
    if (const Func *found = find_func(dag_, func)) return found->name;
    for (const Directive &directive : schedule_) {
        if (shape(directive.op).wrapper && directive.func == func) return directive.func_name;
    }
    return "func_" + std::to_string(func);
}

Writer::OriginalKey Writer::key(int func, int stage, int loop) const {
    const Loop *found = find_loop(dag_, func, stage, loop);
    if (found != nullptr && found->kind == Loop::Kind::pure && found->dim >= 0) {
        return {func, -1, found->dim};
    }
    return {func, stage, loop};
}

// Text for schedules of full tiles. Halide's own specialize() takes conditions on parameters only.
constexpr std::string_view kSpecialize = R"(
// A second schedule of a stage, for where so many points of a Func are computed along its
// dimensions, at least and at most, and for where the named loops of the stage run so often; 0: any
// number. Halide has variables for the ends of all of these.
const auto NAME = [](Func func, int stage, Func whole, const std::vector<int> &least,
                     const std::vector<int> &most, const std::vector<std::string> &loops = {}) {
    namespace ir = ::Halide::Internal;
    ::Halide::Expr all = ir::const_true();
    // Of x / 2^18 Halide would multiply what it is at most by 2^18, beyond 32 bits.
    const auto wide = [](const ::Halide::Expr &e) { return ::Halide::cast<int64_t>(e); };
    for (size_t d = 0; d < least.size(); ++d) {
        const std::vector<std::string> args = whole.function().args();
        const bool pure = d < args.size();
        const std::string of = (pure ? whole : func).name() + ".s" + std::to_string(pure ? 0 : stage);
        const std::string name = of + "." + (pure ? args[d] : loops[d - args.size()]);
        const auto end = [&](const char *which) {
            return ir::Variable::make(::Halide::Int(32), name + which);
        };
        const ::Halide::Expr extent = end(".max") - end(".min") + 1;
        for (const ::Halide::Expr &one : {least[d] > 0 ? extent >= least[d] : ::Halide::Expr(),
                                          most[d] > 0 ? wide(extent) <= wide(most[d])
                                                      : ::Halide::Expr()}) {
            if (one.defined()) all = ir::is_const_one(all) ? one : all && one;
        }
    }
    ir::Definition &definition =
        stage > 0 ? func.function().update(stage - 1) : func.function().definition();
    return ::Halide::Stage(func.function(), definition.add_specialization(all).definition,
                           static_cast<size_t>(stage));
};)";

// Text for vectors, of rows and of pixels: the condition of halide/apply/device_address.h.
constexpr std::string_view kAddress = R"(
// Whether a buffer of CUDA's begins at a multiple of 16 bytes, as what Halide allocates does. The
// call is of no effect: said to be pure, so that it is made ahead of kernels.
const auto NAME = [](const std::string &buffer) {
    namespace ir = ::Halide::Internal;
    const ::Halide::Expr described =
        ir::Variable::make(::Halide::type_of<::halide_buffer_t *>(), buffer + ".buffer");
    const ::Halide::Expr address = ir::Call::make(
        ::Halide::UInt(64), ir::Call::buffer_get_device, {described}, ir::Call::PureExtern);
    return !::Halide::target_has_feature(::Halide::Target::CUDA) || address % 16 == 0;
};)";

// Text for vectors of rows.
constexpr std::string_view kAligned = R"(
// One schedule more of a stage, as it is so far, for where rows begin at multiples of 16 bytes: those
// of an output, if there is one, and of inputs, by name and dimensions. `full_tiles`: of its schedule
// for full tiles. `fours`: a loop of a reduction that must have whole fours of iterations.
const auto NAME = [&ADDRESS](
                      Func func, int stage, bool full_tiles, Func output,
                      std::vector<std::pair<std::string, int>> buffers,
                      const std::string &fours = "") {
    namespace ir = ::Halide::Internal;
    ::Halide::Expr all = ir::const_true();
    const auto require = [&](const ::Halide::Expr &one) {
        all = ir::is_const_one(all) ? one : all && one;
    };
    const auto field = [](const std::string &buffer, const std::string &of) {
        return ir::Variable::make(::Halide::Int(32), buffer + "." + of);
    };
    ir::Definition definition =
        stage > 0 ? func.function().update(stage - 1) : func.function().definition();
    if (full_tiles) definition = definition.specializations().front().definition;
    for (const ir::ReductionVariable &v : definition.schedule().rvars()) {
        if (v.var != fours || ir::is_const(v.extent)) continue;
        require(v.extent == v.extent / 4 * 4);
        if (!ir::is_const(v.min)) require(v.min % 4 == 0);
    }
    if (output.defined()) {
        require(field(output.name(), "extent.0") % 4 == 0);
        buffers.emplace_back(output.name(), output.dimensions());
    }
    for (const auto &[buffer, dimensions] : buffers) {
        require(field(buffer, "min.0") == 0);
        for (int d = 1; d < dimensions; ++d) {
            require(field(buffer, "stride." + std::to_string(d)) % 4 == 0);
        }
        require(ADDRESS(buffer));
    }
    return ::Halide::Stage(func.function(), definition.add_specialization(all).definition,
                           static_cast<size_t>(stage));
};)";

// Text for several steps of a reduction at once.
constexpr std::string_view kSteps = R"(
// One schedule more of a stage, as it is so far, for where a loop of its reduction has a multiple of
// so many iterations. `full_tiles`: of its schedule for full tiles.
const auto NAME = [](Func func, int stage, bool full_tiles, const std::string &loop, int steps) {
    namespace ir = ::Halide::Internal;
    ::Halide::Expr all = ir::const_true();
    ir::Definition definition =
        stage > 0 ? func.function().update(stage - 1) : func.function().definition();
    if (full_tiles) definition = definition.specializations().front().definition;
    for (const ir::ReductionVariable &v : definition.schedule().rvars()) {
        if (v.var == loop && !ir::is_const(v.extent)) all = v.extent == v.extent / steps * steps;
    }
    return ::Halide::Stage(func.function(), definition.add_specialization(all).definition,
                           static_cast<size_t>(stage));
};)";

// Text for pixels.
constexpr std::string_view kPixels = R"(
// One schedule more of a stage, as it is so far, for where vectors of pixels are aligned and whole:
// some numbers of buffers are such, others multiples of such, and buffers begin at multiples of 16
// bytes. `full_tiles`: of the stage's schedule for full tiles.
const auto NAME = [&ADDRESS](
                      Func func, int stage, bool full_tiles,
                      const std::vector<std::pair<std::string, int>> &equal,
                      const std::vector<std::pair<std::string, int>> &multiples,
                      const std::vector<std::string> &buffers) {
    namespace ir = ::Halide::Internal;
    ::Halide::Expr all = ir::const_true();
    const auto field = [](const std::string &name) {
        return ir::Variable::make(::Halide::Int(32), name);
    };
    const auto require = [&](const ::Halide::Expr &one) {
        all = ir::is_const_one(all) ? one : all && one;
    };
    for (const auto &[name, number] : equal) require(field(name) == number);
    for (const auto &[name, number] : multiples) require(field(name) % number == 0);
    for (const std::string &buffer : buffers) require(ADDRESS(buffer));
    ir::Definition definition =
        stage > 0 ? func.function().update(stage - 1) : func.function().definition();
    if (full_tiles) definition = definition.specializations().front().definition;
    return ::Halide::Stage(func.function(), definition.add_specialization(all).definition,
                           static_cast<size_t>(stage));
};)";

// Text for multiples.
constexpr std::string_view kMultiples = R"(
// One schedule more of a stage, as it is so far, for where an output begins and ends at multiples of
// these numbers; 0: anywhere. `full_tiles`: of its schedule for full tiles.
const auto NAME = [](Func func, int stage, bool full_tiles, Func output,
                     const std::vector<int> &multiples) {
    namespace ir = ::Halide::Internal;
    ::Halide::Expr all = ir::const_true();
    for (size_t d = 0; d < multiples.size(); ++d) {
        if (multiples[d] == 0) continue;
        for (const char *field : {"extent.", "min."}) {
            const std::string name = output.name() + "." + field + std::to_string(d);
            const ::Halide::Expr one =
                ir::Variable::make(::Halide::Int(32), name) % multiples[d] == 0;
            all = ir::is_const_one(all) ? one : all && one;
        }
    }
    ir::Definition definition =
        stage > 0 ? func.function().update(stage - 1) : func.function().definition();
    if (full_tiles) definition = definition.specializations().front().definition;
    definition.add_specialization(all);
};)";

bool Writer::uses(bool DirectiveShape::*what) const {
    return std::ranges::any_of(
        schedule_, [&](const Directive &directive) { return shape(directive.op).*what; });
}

// Defines a function of the text, under a name that nothing else has. Returns the name.
std::string Writer::define(std::string_view name, std::string_view definition) {
    std::string unique = identifiers_.unique(std::string(name));
    std::string text(definition);
    const auto replace_all = [&text](std::string_view what, const std::string &by) {
        for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size())) {
            text.replace(at, what.size(), by);
        }
    };
    replace_all("NAME", unique);
    replace_all("ADDRESS", address_);
    line(text);
    line("");
    return unique;
}

void Writer::declare_funcs() {
    std::set<int> used, made;
    for (const Directive &directive : factors_) {
        used.insert(directive.func);
        if (shape(directive.op).factor) made.insert(directive.made_func);
    }
    for (const Directive &directive : schedule_) {
        if (std::find(order_.begin(), order_.end(), directive.func) == order_.end()) {
            order_.push_back(directive.func);
        }
        used.insert(directive.func);
        const DirectiveShape fields = shape(directive.op);
        const bool names_site = fields.site || fields.extents || fields.aligned || fields.multiples;
        if (names_site && directive.site_func >= 0) {
            used.insert(directive.site_func);
        }
        for (const api::PixelBuffer &buffer : directive.buffers) {
            if (buffer.func >= 0) used.insert(buffer.func);
        }
        if (!shape(directive.op).wrapper) continue;
        made.insert(directive.func);
        used.insert(directive.wrapped_func);
        if (directive.reader_func >= 0) used.insert(directive.reader_func);
    }
    for (int func : used) {
        if (made.contains(func)) continue;
        const std::string &identifier = funcs_[func] = identifiers_.unique(func_name(func));
        line("Func " + identifier + " = " + pipeline_ + ".get_func(" + std::to_string(func) + ");");
    }
}

void Writer::write_factors() {
    if (factors_.empty()) return;
    for (std::string &text : cpp_factors(factors_, as_read_, dag_, identifiers_, funcs_)) {
        line(std::move(text));
    }
}

void Writer::declare_wrappers() {
    for (const Directive &wrapper : schedule_) {
        if (!shape(wrapper.op).wrapper) continue;
        const std::string identifier = identifiers_.unique(wrapper.func_name);
        const std::string reader = wrapper.reader_func < 0 ? "" : funcs_[wrapper.reader_func];
        line("Func " + identifier + " = " + funcs_[wrapper.wrapped_func] + ".in(" + reader + ");");
        funcs_[wrapper.func] = identifier;
    }
}

void Writer::declare_made_loops() {
    std::set<MadeKey> keys;
    for (const Directive &directive : schedule_) {
        const int first_made = shape(directive.op).first_made;
        for (size_t i = 0; first_made >= 0 && i < directive.loops.size(); ++i) {
            const LoopRef &loop = directive.loops[i];
            if (static_cast<int>(i) < first_made) continue;
            keys.emplace(loop.name, reductions_.contains(directive.func, directive.stage, loop));
        }
    }
    if (keys.empty()) return;
    line("\n// Loops that this schedule makes.");
    for (const bool reduction : {false, true}) {
        std::string declaration;
        for (const MadeKey &made : keys) {
            if (made.second != reduction) continue;
            const std::string &identifier = made_[made] = identifiers_.unique(made.first);
            const std::string variable = identifier + "(\"" + made.first + "\")";
            if (declaration.size() + variable.size() > kDeclarationColumns) {
                line(std::exchange(declaration, "") + ";");
            }
            declaration += (declaration.empty() ? (reduction ? "RVar " : "Var ") : ", ") + variable;
        }
        if (!declaration.empty()) line(declaration + ";");
    }
}

// A site may name a loop of the algorithm that belongs to another Func's block, where it is
// possibly already consumed; so it is looked up ahead of everything.
void Writer::declare_site_loops() {
    bool first = true;
    for (const Directive &directive : schedule_) {
        if (!shape(directive.op).site || !directive.site_loop.is_original()) continue;
        if (originals_.contains(
                key(directive.site_func, directive.site_stage, directive.site_loop.original))) {
            continue;
        }
        if (std::exchange(first, false)) {
            line("\n// Loops of one Func in which another is computed.");
        }
        declare_original(directive.site_func, directive.site_stage, directive.site_loop,
                         funcs_[directive.site_func] + "_", "");
    }
}

void Writer::declare_original(int func, int stage, const LoopRef &loop, std::string_view prefix,
                              std::string_view indent) {
    const auto [entry, inserted] = originals_.try_emplace(key(func, stage, loop.original));
    if (!inserted) return;
    entry->second = identifiers_.unique(std::string(prefix) + loop_name(dag_, func, stage, loop));
    line(std::string(indent) + (reductions_.contains(func, stage, loop) ? "RVar " : "Var ") +
         entry->second + "(" + loop_variable(describe_stage(funcs_[func], stage), loop.original) +
         ");");
}

std::string Writer::spell(int func, int stage, const LoopRef &loop) const {
    if (loop.is_original()) {
        const auto it = originals_.find(key(func, stage, loop.original));
        return it == originals_.end() ? cpp_identifier(loop.name) : it->second;
    }
    if (loop == LoopRef::outermost()) return "Var::outermost()";
    const auto it = made_.find({loop.name, reductions_.contains(func, stage, loop)});
    return it == made_.end() ? cpp_identifier(loop.name) : it->second;
}

std::string Writer::spell_site(const Directive &directive) const {
    if (directive.site_loop.is_original()) {
        return spell(directive.site_func, directive.site_stage, directive.site_loop);
    }
    const auto it = made_.find({directive.site_loop.name, reductions_.contains_site(directive)});
    return it == made_.end() ? cpp_identifier(directive.site_loop.name) : it->second;
}

void Writer::write_func(int func) {
    std::vector<const Directive *> all;
    for (const Directive &directive : schedule_) {
        if (directive.func == func) all.push_back(&directive);
    }
    identifiers_.enter();
    line("\n{  // " + in_comment(func_name(func)));
    for (const Directive *directive : all) {
        for (const LoopRef &loop : directive->loops) {
            if (loop.is_original()) declare_original(func, directive->stage, loop, "", "    ");
        }
    }
    branches_.clear();
    for (size_t begin = 0; begin < all.size();) {
        if (shape(all[begin]->op).extents) {
            write_specialize(*all[begin++]);
            continue;
        }
        if (shape(all[begin]->op).aligned) {
            write_aligned(*all[begin++]);
            continue;
        }
        if (shape(all[begin]->op).steps) {
            write_steps(*all[begin++]);
            continue;
        }
        if (shape(all[begin]->op).pixels) {
            write_pixels(*all[begin++]);
            continue;
        }
        if (shape(all[begin]->op).multiples) {
            write_multiples(*all[begin++]);
            continue;
        }
        const auto belongs = [&](const Directive &directive) {
            const DirectiveShape fields = shape(directive.op);
            return directive.stage == all[begin]->stage && directive.branch == all[begin]->branch &&
                   !fields.extents && !fields.aligned && !fields.steps && !fields.multiples &&
                   !fields.pixels;
        };
        size_t end = begin;
        while (end < all.size() && belongs(*all[end])) ++end;
        write_calls(func, {all.begin() + static_cast<std::ptrdiff_t>(begin),
                           all.begin() + static_cast<std::ptrdiff_t>(end)});
        begin = end;
    }
    line("}");
    identifiers_.leave();
}

void Writer::write_specialize(const Directive &directive) {
    const auto list = [](const std::vector<int64_t> &extents) {
        std::string text;
        for (const int64_t extent : extents) {
            text += (text.empty() ? "" : ", ") + std::to_string(extent);
        }
        return "{" + text + "}";
    };
    const std::string &branch = branches_[{directive.stage, Branch::full_tiles}] =
        identifiers_.unique("full_tiles");
    std::string loops;
    for (const LoopRef &loop : directive.loops) {
        loops += (loops.empty() ? ", {" : ", ") + spell(directive.func, directive.stage, loop) +
                 ".name()";
    }
    line("    auto " + branch + " = " + specialize_ + "(" + funcs_[directive.func] + ", " +
         std::to_string(directive.stage) + ", " + funcs_[directive.site_func] + ", " +
         list(directive.least) + ", " + list(directive.most) + loops + (loops.empty() ? "" : "}") +
         ");");
}

void Writer::write_aligned(const Directive &directive) {
    std::string inputs;
    for (const api::InputBuffer &input : directive.inputs) {
        inputs += (inputs.empty() ? "{" : ", {") + string_literal(input.name) + ", " +
                  std::to_string(input.dimensions) + "}";
    }
    const bool full_tiles = directive.branch == Branch::full_tiles;
    const std::string loop = spell(directive.func, directive.stage, directive.loops[0]);
    const std::string output = directive.site_func < 0 ? "Func()" : funcs_[directive.site_func];
    const std::string call = aligned_ + "(" + funcs_[directive.func] + ", " +
                             std::to_string(directive.stage) + ", " +
                             (full_tiles ? "true" : "false") + ", " + output + ", {" + inputs + "}";
    if (directive.op == DirectiveOp::specialize_aligned) {
        const std::string &branch = branches_[{directive.stage, Branch::aligned}] =
            identifiers_.unique("aligned");
        return line("    auto " + branch + " = " + call + ", " + loop + ".name());");
    }
    line("    " + call + ")");
    line("        .vectorize(" + loop + ");");
}

void Writer::write_steps(const Directive &directive) {
    const std::string &branch = branches_[{directive.stage, Branch::aligned}] =
        identifiers_.unique("whole_steps");
    const bool full_tiles = directive.branch == Branch::full_tiles;
    line("    auto " + branch + " = " + steps_ + "(" + funcs_[directive.func] + ", " +
         std::to_string(directive.stage) + ", " + (full_tiles ? "true" : "false") + ", " +
         spell(directive.func, directive.stage, directive.loops[0]) + ".name(), " +
         std::to_string(directive.factor) + ");");
}

void Writer::write_pixels(const Directive &directive) {
    std::string equal, multiples, buffers;
    for (const PixelCondition &one : pixel_conditions(directive)) {
        if (one.is == PixelCondition::Is::aligned) {
            buffers += (buffers.empty() ? "" : ", ") +
                       (one.func < 0 ? string_literal(one.input) : funcs_[one.func] + ".name()");
            continue;
        }
        std::string &list = one.is == PixelCondition::Is::equal ? equal : multiples;
        list += (list.empty() ? "{" : ", {") +
                (one.func < 0 ? string_literal(one.input + one.field)
                              : funcs_[one.func] + ".name() + \"" + one.field + "\"") +
                ", " + std::to_string(one.number) + "}";
    }
    const bool full_tiles = directive.branch == Branch::full_tiles;
    line("    " + pixels_ + "(" + funcs_[directive.func] + ", " + std::to_string(directive.stage) +
         ", " + (full_tiles ? "true" : "false") + ",");
    line("        {" + equal + "},");
    line("        {" + multiples + "},");
    line("        {" + buffers + "})");
    line("        .vectorize(" + spell(directive.func, directive.stage, directive.loops[0]) + ");");
}

void Writer::write_multiples(const Directive &directive) {
    std::string list;
    for (const int64_t multiple : directive.multiples) {
        list += (list.empty() ? "" : ", ") + std::to_string(multiple);
    }
    const bool full_tiles = directive.branch == Branch::full_tiles;
    line("    " + multiples_ + "(" + funcs_[directive.func] + ", " +
         std::to_string(directive.stage) + ", " + (full_tiles ? "true" : "false") + ", " +
         funcs_[directive.site_func] + ", {" + list + "});");
}

// One statement: chained calls on one stage, one call a line.
void Writer::write_calls(int func, const std::vector<const Directive *> &calls) {
    const int stage = calls.front()->stage;
    std::vector<std::string> texts;
    for (const Directive *directive : calls) {
        // Func::reorder takes two loops at least, and one loop has only one order.
        if (directive->op == DirectiveOp::reorder && directive->loops.size() < 2) continue;
        if (shape(directive->op).wrapper) continue;  // made with the Funcs
        const auto site = funcs_.find(directive->site_func);
        texts.push_back(call_text(
            *directive, [&](const LoopRef &loop) { return spell(func, stage, loop); },
            site == funcs_.end() ? "" : site->second,
            shape(directive->op).site ? spell_site(*directive) : ""));
    }
    if (texts.empty()) return;
    const Branch branch = calls.front()->branch;
    const std::string receiver = branch == Branch::otherwise ? describe_stage(funcs_[func], stage)
                                                             : branches_[{stage, branch}];
    if (texts.size() == 1) return line("    " + receiver + "." + texts[0] + ";");
    line("    " + receiver);
    for (size_t i = 0; i < texts.size(); ++i) {
        line("        ." + texts[i] + (i + 1 == texts.size() ? ";" : ""));
    }
}

// What stands in the pipeline itself is not repeated.
void Writer::write_respected() {
    for (const Func &func : as_read_.funcs) {
        if (func.user_directives.empty()) continue;
        std::string directives;
        for (const std::string &one : func.user_directives) {
            directives += (directives.empty() ? "" : ", ") + one;
        }
        line("// As its user has scheduled it: " + in_comment(func.name) + " (" + directives +
             ").");
    }
}

std::string Writer::write() {
    // Decisions depend on the target, calls do not; the parameter is the header's, not ours.
    write_respected();
    line("(void)target;");
    if (schedule_.empty() && factors_.empty()) {
        line("(void)" + pipeline_ + ";");
        return std::move(text_);
    }
    const bool rows = uses(&DirectiveShape::aligned), pixels = uses(&DirectiveShape::pixels);
    if (uses(&DirectiveShape::extents)) specialize_ = define("for_full_tiles", kSpecialize);
    if (rows || pixels) address_ = define("has_aligned_address", kAddress);
    if (rows) aligned_ = define("where_rows_are_aligned", kAligned);
    if (uses(&DirectiveShape::steps)) steps_ = define("where_steps_are_whole", kSteps);
    if (pixels) pixels_ = define("where_pixels_are_aligned", kPixels);
    if (uses(&DirectiveShape::multiples)) {
        multiples_ = define("repeat_for_multiples", kMultiples);
    }
    line("");
    declare_funcs();
    write_factors();
    declare_wrappers();
    declare_made_loops();
    declare_site_loops();
    for (int func : order_) write_func(func);
    return std::move(text_);
}

}  // namespace

std::string cpp_source(const Schedule &schedule, const Dag &dag) {
    return cpp_source(schedule, dag, dag);
}

std::string cpp_source(const Schedule &schedule, const Dag &dag, const Dag &factored) {
    const SplitSchedule split = split_off_factors(schedule);
    return Writer(split, dag, factored).write();
}

std::string cpp_source(const Schedule &schedule, const Dag &dag,
                       const std::vector<std::shared_ptr<const Dag>> &factored) {
    const std::vector<SizeSection> sections = split_by_sizes(schedule);
    if (sections.size() == 1) return cpp_source(schedule, dag, *factored.front());
    std::vector<std::string> texts;
    for (size_t i = 0; i < sections.size(); ++i) {
        const SplitSchedule split = split_off_factors(sections[i].schedule);
        texts.push_back(Writer(split, dag, *factored[i], section_pipeline(i, sections.size()),
                               names_around_sections(sections.size()))
                            .write());
    }
    return cpp_sections(sections, texts);
}

}  // namespace autoschedule_gpu
