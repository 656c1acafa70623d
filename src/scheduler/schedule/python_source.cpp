#include "scheduler/schedule/python_source.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/support/split_list.h"
#include "scheduler/schedule/cpp_identifiers.h"
#include "scheduler/schedule/directive_targets.h"
#include "scheduler/schedule/factors.h"
#include "scheduler/schedule/pixel_conditions.h"
#include "scheduler/schedule/size_sections.h"
#include "scheduler/schedule/string_literal.h"

namespace autoschedule_gpu {
namespace {

// Words of Python that are none of C++, and the text's own names. `in` and the like are names that
// Funcs have.
constexpr std::string_view kTaken =
    "apply_schedule as async await conditions def del elif except exec False finally from global "
    "hl "
    "import in is lambda None nonlocal pass print raise sizes True with yield";

std::string list_text(const std::vector<int64_t> &numbers) {
    std::string text;
    for (const int64_t number : numbers) {
        text += (text.empty() ? "" : ", ") + std::to_string(number);
    }
    return "[" + text + "]";
}

class PythonWriter {
public:
    PythonWriter(const SplitSchedule &schedule, const Dag &dag, const Dag &factored)
        : factors_(schedule.factors),
          schedule_(schedule.rest),
          as_read_(dag),
          dag_(factored),
          factor_reductions_(schedule.factors, reductions_of(dag)),
          reductions_(schedule.rest, reductions_of(factored)) {
        for (const std::string &name : split_list(kTaken, ' ')) identifiers_.unique(name);
    }

    // The body of a function that schedules `pipeline`. What is_conditional() is not settled in it.
    std::string write() &&;

private:
    using MadeKey = std::pair<bool, std::string>;  // is reduction, name
    // Func, stage and position; pure loops, which all stages share, by their dimension at stage -1.
    using OriginalKey = std::tuple<int, int, int>;
    using BranchKey = std::tuple<int, int, Branch>;  // func, stage
    struct Part {  // of the schedule, with the pipeline that it is about
        const Schedule &schedule;
        const Dag &dag;
        const ReductionLoops &reductions;
    };

    void line(const std::string &text) { text_ += (text.empty() ? "" : "    " + text) + "\n"; }
    void section(const std::string &title) { text_ += "\n    # " + title + "\n"; }
    std::string func_name(int func) const;
    void declare_funcs();
    void declare_made_loops(const Part &part);
    void write_factors();
    void declare_wrappers();
    void declare_site_loops();
    void write_func(int func);
    void write(const Directive &directive);

    OriginalKey key(int func, int stage, const LoopRef &loop) const;
    std::string original(const Dag &dag, int func, int stage, int position) const;
    std::string spell(const Part &part, const Directive &directive, const LoopRef &loop) const;
    std::string spell_site(const Directive &directive) const;
    std::string receiver(const Directive &directive) const;
    std::string call(const Part &part, const Directive &directive) const;
    std::string pixels_call(const Directive &directive) const;
    std::string reductions_text(const Directive &directive) const;
    std::string condition_call(const Directive &directive) const;

    const Schedule &factors_, &schedule_;
    const Dag &as_read_, &dag_;  // before and after the former
    ReductionLoops factor_reductions_, reductions_;
    Identifiers identifiers_;
    std::map<int, std::string> funcs_;
    std::map<MadeKey, std::string> made_;
    std::map<OriginalKey, std::string> originals_;
    std::map<BranchKey, std::string> branches_;
    std::vector<int> order_;  // Funcs in the order of their first directives
    std::string text_;
};

std::string PythonWriter::func_name(int func) const {
    if (const Func *found = find_func(dag_, func)) return found->name;
    for (const Directive &directive : schedule_) {
        if (shape(directive.op).wrapper && directive.func == func) return directive.func_name;
    }
    return "func_" + std::to_string(func);
}

void PythonWriter::declare_funcs() {
    std::set<int> used, made;
    for (const Schedule *part : {&factors_, &schedule_}) {
        for (const Directive &directive : *part) {
            used.insert({directive.func, directive.site_func, directive.wrapped_func,
                         directive.reader_func});
            if (shape(directive.op).wrapper) made.insert(directive.func);
            if (shape(directive.op).factor) made.insert(directive.made_func);
        }
    }
    for (const Directive &directive : schedule_) {
        if (std::ranges::find(order_, directive.func) == order_.end()) {
            order_.push_back(directive.func);
        }
    }
    for (const int func : used) {
        if (func < 0 || made.contains(func)) continue;
        const std::string &identifier = funcs_[func] = identifiers_.unique(func_name(func));
        line(identifier + " = pipeline.get_func(" + std::to_string(func) + ")");
    }
}

void PythonWriter::declare_made_loops(const Part &part) {
    std::set<MadeKey> keys;
    for (const Directive &directive : part.schedule) {
        const DirectiveShape fields = shape(directive.op);
        for (size_t i = 0; i < directive.loops.size(); ++i) {
            const LoopRef &loop = directive.loops[i];
            const bool is_made = fields.factor || (fields.first_made >= 0 &&
                                                   i >= static_cast<size_t>(fields.first_made));
            if (!is_made || loop.is_original() || loop == LoopRef::outermost()) continue;
            keys.emplace(part.reductions.contains(directive.func, directive.stage, loop),
                         loop.name);
        }
    }
    for (const MadeKey &key : keys) {
        const std::string &identifier = made_[key] = identifiers_.unique(key.second);
        line(identifier + " = hl." + (key.first ? "RVar" : "Var") + "(\"" + key.second + "\")");
    }
}

PythonWriter::OriginalKey PythonWriter::key(int func, int stage, const LoopRef &loop) const {
    const Loop *found = find_loop(dag_, func, stage, loop.original);
    if (found != nullptr && found->kind == Loop::Kind::pure) return {func, -1, found->dim};
    return {func, stage, loop.original};
}

// An expression for one of the algorithm's loops.
std::string PythonWriter::original(const Dag &dag, int func, int stage, int position) const {
    const std::string &name = funcs_.at(func);
    const std::vector<Loop> *loops = find_loops(dag, func, stage);
    // What a directive makes has but the loops of a pure definition.
    if (loops == nullptr || static_cast<size_t>(position) >= loops->size()) {
        return name + ".args()[" + std::to_string(position) + "]";
    }
    const Loop &loop = (*loops)[static_cast<size_t>(position)];
    if (loop.kind == Loop::Kind::pure) return name + ".args()[" + std::to_string(loop.dim) + "]";
    const auto before = std::count_if(loops->begin(), loops->begin() + position, [](const Loop &l) {
        return l.kind == Loop::Kind::reduction;
    });
    return name + ".rvars(" + std::to_string(stage - 1) + ")[" + std::to_string(before) + "]";
}

std::string PythonWriter::spell(const Part &part, const Directive &directive,
                                const LoopRef &loop) const {
    if (loop.is_original()) {
        const auto it = originals_.find(key(directive.func, directive.stage, loop));
        return it != originals_.end()
                   ? it->second
                   : original(part.dag, directive.func, directive.stage, loop.original);
    }
    if (loop == LoopRef::outermost()) return "hl.Var.outermost()";
    return made_.at({part.reductions.contains(directive.func, directive.stage, loop), loop.name});
}

std::string PythonWriter::spell_site(const Directive &directive) const {
    const LoopRef &loop = directive.site_loop;
    if (loop.is_original()) {
        return originals_.at(key(directive.site_func, directive.site_stage, loop));
    }
    if (loop == LoopRef::outermost()) return "hl.Var.outermost()";
    return made_.at({reductions_.contains_site(directive), loop.name});
}

std::string PythonWriter::receiver(const Directive &directive) const {
    const auto branch = branches_.find({directive.func, directive.stage, directive.branch});
    return branch != branches_.end() ? branch->second
                                     : describe_stage(funcs_.at(directive.func), directive.stage);
}

// The call without the Func.
std::string PythonWriter::call(const Part &part, const Directive &directive) const {
    const DirectiveShape fields = shape(directive.op);
    std::vector<std::string> loops;
    for (const LoopRef &loop : directive.loops) loops.push_back(spell(part, directive, loop));
    std::string arguments;
    const auto append = [&arguments](const std::string &argument) {
        arguments += (arguments.empty() ? "" : ", ") + argument;
    };
    if (directive.op == DirectiveOp::compute_with) {
        append("hl.LoopLevel(" + funcs_.at(directive.site_func) + ", " + spell_site(directive) +
               ", " + std::to_string(directive.site_stage) + ")");
    } else if (fields.site) {
        append(funcs_.at(directive.site_func));
        append(spell_site(directive));
    }
    if (fields.memory) append("hl.MemoryType." + std::string(to_string(directive.memory)));
    if (fields.factor) {
        std::string pairs;
        for (size_t i = 0; i < loops.size() / 2; ++i) {
            pairs += (i == 0 ? "(" : ", (") + loops[i] + ", " + loops[loops.size() / 2 + i] + ")";
        }
        append("[" + pairs + "]");
    } else {
        for (const std::string &loop : loops) append(loop);
    }
    if (fields.split || fields.dimension) append(std::to_string(directive.factor));
    if (fields.split) append("hl.TailStrategy." + std::string(to_string(directive.tail)));
    return std::string(to_string(directive.op)) + "(" + arguments + ")";
}

std::string PythonWriter::pixels_call(const Directive &directive) const {
    std::string equal, multiples, buffers;
    for (const PixelCondition &one : pixel_conditions(directive)) {
        if (one.is == PixelCondition::Is::aligned) {
            buffers += (buffers.empty() ? "" : ", ") +
                       (one.func < 0 ? string_literal(one.input) : funcs_.at(one.func) + ".name()");
            continue;
        }
        std::string &list = one.is == PixelCondition::Is::equal ? equal : multiples;
        list += (list.empty() ? "(" : ", (") +
                (one.func < 0 ? string_literal(one.input + one.field)
                              : funcs_.at(one.func) + ".name() + \"" + one.field + "\"") +
                ", " + std::to_string(one.number) + ")";
    }
    return "conditions.where_pixels_are_aligned(" + receiver(directive) + ", [" + equal + "], [" +
           multiples + "], [" + buffers + "])";
}

// The last arguments, if there is such a loop.
std::string PythonWriter::reductions_text(const Directive &directive) const {
    std::string text;
    for (const LoopRef &loop : directive.loops) {
        text += (text.empty() ? ", " + std::to_string(directive.stage) + ", [" : ", ") +
                spell({schedule_, dag_, reductions_}, directive, loop);
    }
    return text.empty() ? text : text + "]";
}

// A call that makes a branch.
std::string PythonWriter::condition_call(const Directive &directive) const {
    const DirectiveShape fields = shape(directive.op);
    const std::string stage = receiver(directive);
    const auto site = funcs_.find(directive.site_func);
    const std::string whole = site == funcs_.end() ? "None" : site->second;
    if (fields.extents) {
        return "conditions.for_full_tiles(" + stage + ", " + whole + ", " +
               list_text(directive.least) + ", " + list_text(directive.most) +
               reductions_text(directive) + ")";
    }
    if (fields.multiples) {
        return "conditions.repeat_for_multiples(" + stage + ", " + whole + ", " +
               list_text(directive.multiples) + ")";
    }
    if (fields.pixels) return pixels_call(directive);
    if (fields.steps) {
        return "conditions.where_steps_are_whole(" + stage + ", " +
               spell({schedule_, dag_, reductions_}, directive, directive.loops[0]) + ", " +
               std::to_string(directive.factor) + ")";
    }
    std::string inputs;
    for (const api::InputBuffer &input : directive.inputs) {
        inputs += (inputs.empty() ? "(" : ", (") + string_literal(input.name) + ", " +
                  std::to_string(input.dimensions) + ")";
    }
    const std::string fours =
        directive.op == DirectiveOp::specialize_aligned
            ? ", fours=" + spell({schedule_, dag_, reductions_}, directive, directive.loops[0])
            : "";
    return "conditions.where_rows_are_aligned(" + stage + ", " + whole + ", [" + inputs + "]" +
           fours + ")";
}

void PythonWriter::write(const Directive &directive) {
    const DirectiveShape fields = shape(directive.op);
    if (fields.wrapper) return;  // made with the Funcs
    // reorder takes two loops at least, and one loop has only one order.
    if (directive.op == DirectiveOp::reorder && directive.loops.size() < 2) return;
    if (fields.multiples) return line(condition_call(directive));
    if (directive.op == DirectiveOp::vectorize_aligned || fields.pixels) {
        const std::string loop =
            spell({schedule_, dag_, reductions_}, directive, directive.loops[0]);
        return line(condition_call(directive) + ".vectorize(" + loop + ")");
    }
    if (fields.extents || fields.aligned || fields.steps) {
        const Branch made = fields.extents ? Branch::full_tiles : Branch::aligned;
        const std::string text = condition_call(directive);
        const std::string &branch = branches_[{directive.func, directive.stage, made}] =
            identifiers_.unique(to_string(made));
        return line(branch + " = " + text);
    }
    line(receiver(directive) + "." + call({schedule_, dag_, reductions_}, directive));
}

void PythonWriter::write_factors() {
    const Part part{factors_, as_read_, factor_reductions_};
    if (factors_.empty()) return;
    section("Partial results: what is left of these reductions puts them together.");
    declare_made_loops(part);
    for (const Directive &directive : factors_) {
        std::string text = receiver(directive) + "." + call(part, directive);
        if (shape(directive.op).factor) {
            const Func *made = find_func(dag_, directive.made_func);
            const std::string &identifier = funcs_[directive.made_func] = identifiers_.unique(
                made != nullptr ? made->name : "func_" + std::to_string(directive.made_func));
            text = identifier + " = " + text;
        }
        line(text);
    }
}

void PythonWriter::declare_wrappers() {
    for (const Directive &wrapper : schedule_) {
        if (!shape(wrapper.op).wrapper) continue;
        const std::string reader = wrapper.reader_func < 0 ? "" : funcs_.at(wrapper.reader_func);
        const std::string &identifier = funcs_[wrapper.func] =
            identifiers_.unique(wrapper.func_name);
        line(identifier + " = " + funcs_.at(wrapper.wrapped_func) + ".in_(" + reader + ")");
    }
}

// The loops of the algorithm are looked up ahead of all splits, for those of an RDom are listed
// only until something consumes them.
void PythonWriter::declare_site_loops() {
    bool first = true;
    const auto declare = [&](int func, int stage, const LoopRef &loop) {
        if (!loop.is_original() || originals_.contains(key(func, stage, loop))) return;
        if (std::exchange(first, false)) section("Loops of the algorithm.");
        const std::string text = original(dag_, func, stage, loop.original);
        const std::string &identifier = originals_[key(func, stage, loop)] =
            identifiers_.unique(funcs_.at(func) + "_" + loop_name(dag_, func, stage, loop));
        line(identifier + " = " + text);
    };
    for (const Directive &directive : schedule_) {
        for (const LoopRef &loop : directive.loops) {
            declare(directive.func, directive.stage, loop);
        }
        if (shape(directive.op).site) {
            declare(directive.site_func, directive.site_stage, directive.site_loop);
        }
    }
}

void PythonWriter::write_func(int func) {
    section(in_comment(func_name(func)));
    for (const Directive &directive : schedule_) {
        if (directive.func == func) write(directive);
    }
}

std::string PythonWriter::write() && {
    if (schedule_.empty() && factors_.empty()) {
        line("pass");
        return std::move(text_);
    }
    declare_funcs();
    write_factors();
    declare_wrappers();
    section("Loops that this schedule makes.");
    declare_made_loops({schedule_, dag_, reductions_});
    declare_site_loops();
    for (const int func : order_) write_func(func);
    return std::move(text_);
}

bool is_conditional(const Directive &directive) {
    const DirectiveShape fields = shape(directive.op);
    return fields.extents || fields.aligned || fields.pixels || fields.multiples || fields.sizes ||
           fields.steps;
}

std::string function_text(const std::string &name, const std::string &body) {
    return "\n\ndef " + name + "(pipeline):\n" + body;
}

// What has the sizes of one schedule, for `sizes.compute_as_in`.
std::string extents_text(const SizeSection &section) {
    std::string text;
    for (const api::LeastExtent &one : section.extents) {
        const std::string name = one.func < 0 ? string_literal(one.input)
                                              : "pipeline.get_func(" + std::to_string(one.func) +
                                                    ").output_buffers()[0].name()";
        text += (text.empty() ? "(" : ", (") + name + ", " + std::to_string(one.dimension) + ", " +
                std::to_string(one.least) + ")";
    }
    return "[" + text + "]";
}

// A copy of the pipeline for each schedule but the last; then all are scheduled and put together.
// Funcs are looked up ahead, for what is made changes their numbers.
std::string body_of_sections(const std::vector<SizeSection> &sections) {
    std::string copies, schedules, together;
    for (size_t i = 0; i < sections.size(); ++i) {
        const std::string number = std::to_string(i), copy = "copy_" + number,
                          extents = "extents_" + number;
        const bool is_last = i + 1 == sections.size();
        schedules += "    schedule_" + number + "(" + (is_last ? "pipeline" : copy) + ")\n";
        if (is_last) continue;
        copies += "    " + copy + " = sizes.copy_for_sizes(pipeline, " + number + ")\n    " +
                  extents + " = " + extents_text(sections[i]) + "\n";
        together.insert(0, "    sizes.compute_as_in(" + copy + ", pipeline, " + extents + ")\n");
    }
    return copies + schedules + together;
}

// All but the functions of the schedules.
std::string module_text(const Schedule &schedule, const std::string &functions,
                        const std::string &body, std::string_view imported) {
    std::string text =
        "\"\"\"A schedule by autoschedule_gpu: apply_schedule(pipeline) applies it.\"\"\"\n\n"
        "import halide as hl\n";
    const bool settles = std::ranges::any_of(schedule, is_conditional);
    if (settles) text += "from autoschedule_gpu import " + std::string(imported) + "\n";
    text += functions + function_text("apply_schedule", body);
    if (settles) {
        text +=
            "\n    # What Halide's Python binding can't say.\n    conditions.settle(pipeline)\n";
    }
    return text;
}

}  // namespace

std::string python_source(const Schedule &schedule, const Dag &dag, const Dag &factored) {
    const SplitSchedule split = split_off_factors(schedule);
    return module_text(schedule, "", PythonWriter(split, dag, factored).write(), "conditions");
}

std::string python_source(const Schedule &schedule, const Dag &dag,
                          const std::vector<std::shared_ptr<const Dag>> &factored) {
    const std::vector<SizeSection> sections = split_by_sizes(schedule);
    if (sections.size() == 1) return python_source(schedule, dag, *factored.front());
    std::string functions;
    for (size_t i = 0; i < sections.size(); ++i) {
        const SplitSchedule split = split_off_factors(sections[i].schedule);
        functions += function_text("schedule_" + std::to_string(i),
                                   PythonWriter(split, dag, *factored[i]).write());
    }
    return module_text(schedule, functions, body_of_sections(sections), "conditions, sizes");
}

}  // namespace autoschedule_gpu
