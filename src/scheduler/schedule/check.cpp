#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "scheduler/schedule/stage_state.h"
#include "scheduler/schedule/trace.h"

namespace autoschedule_gpu {
namespace {

std::string no_input(const std::string &name, int dimensions) {
    return "the pipeline has no input \"" + name + "\" of " + std::to_string(dimensions) +
           " dimensions";
}

class Checker {
public:
    explicit Checker(const Dag &dag) : dag_(dag) {
        for (const Func &func : dag.funcs) {
            if (func.halide_index < 0) continue;
            if (func.wraps.valid() || func.users_wrapper_of.valid()) continue;
            funcs_[func.halide_index] = &func;
            for (StageId id : func.stages) {
                stages_.emplace(std::pair(func.halide_index, dag.stage(id).index), dag.stage(id));
            }
        }
    }

    Complaint apply(const Directive &directive);
    // After the last directive: is there what this one asks for of another Func?
    Complaint in_the_end(const Directive &directive) const;
    std::string site_name(const Directive &directive) const {
        const auto it = funcs_.find(directive.site_func);
        return it == funcs_.end() ? "" : it->second->name;
    }

private:
    Complaint well_formed(const Directive &directive) const;
    Complaint place(const Directive &directive);
    Complaint dimension(const Directive &directive);
    Complaint specialize(const Directive &directive);
    Complaint site(const Directive &directive) const;
    Complaint site_in_the_end(const Directive &directive) const;
    bool is_computed_somewhere(int func) const;
    Complaint with(const Directive &directive);
    Complaint rows(const Directive &directive) const;
    bool has_input(const std::string &name, int dimensions) const;
    Complaint pixels(const Directive &directive) const;
    StageState *branch_of(const Directive &directive);
    Complaint align_rows(const Directive &directive, const StageState &branch);
    Complaint multiples(const Directive &directive) const;
    Complaint wrap(const Directive &directive);
    Complaint factor(const Directive &directive);
    Complaint reorder_storage(const Directive &directive) const;
    std::string no_stage(int func, int stage) const;

    const Dag &dag_;
    std::map<int, const Func *> funcs_;
    std::map<std::pair<int, int>, StageState> stages_;
    std::map<std::pair<int, int>, StageState> full_tiles_;  // of stages with such a branch
    std::map<std::pair<int, int>, StageState> rows_;        // likewise, for aligned rows
    std::deque<Func> made_;                                 // what the schedule makes
    std::deque<Stage> made_stages_;                         // their pure definitions
    std::set<std::pair<int, int>> wrapped_;                 // and the reader
    std::set<std::pair<int, int>> with_;                    // stages that share loops of another
    std::set<int> placed_, stored_at_, stored_;
    // What is said of dimensions of Funcs.
    std::set<std::tuple<DirectiveOp, int, int>> measures_;
};

std::string Checker::no_stage(int func, int stage) const {
    const auto it = funcs_.find(func);
    if (it == funcs_.end()) {
        return "there is no Func " + std::to_string(func) + "; the pipeline has " +
               std::to_string(funcs_.size());
    }
    return it->second->name + " has no stage " + std::to_string(stage) + "; it has " +
           std::to_string(it->second->stages.size());
}

Complaint Checker::well_formed(const Directive &directive) const {
    const DirectiveShape fields = shape(directive.op);
    if (directive.loops.size() < fields.min_loops || directive.loops.size() > fields.max_loops) {
        return "it takes from " + std::to_string(fields.min_loops) + " to " +
               std::to_string(fields.max_loops) + " loops, not " +
               std::to_string(directive.loops.size());
    }
    constexpr int64_t kMaxFactor = std::numeric_limits<int32_t>::max();
    if ((fields.split || fields.dimension || fields.steps) &&
        (directive.factor < 1 || directive.factor > kMaxFactor)) {
        return "the factor must be in [1, " + std::to_string(kMaxFactor) + "], not " +
               std::to_string(directive.factor);
    }
    // What an op doesn't use isn't printed either, so it must not carry meaning.
    Directive used;
    used.op = directive.op;
    used.func = directive.func;
    used.func_name = directive.func_name;
    used.loops = directive.loops;
    if (!is_func_level(directive.op)) {
        used.stage = directive.stage;
        if (!fields.extents) used.branch = directive.branch;
    }
    if (fields.extents) {
        used.site_func = directive.site_func;
        used.least = directive.least;
        used.most = directive.most;
    }
    if (fields.aligned) {
        used.site_func = directive.site_func;
        used.inputs = directive.inputs;
    }
    if (fields.multiples) {
        used.site_func = directive.site_func;
        used.multiples = directive.multiples;
    }
    if (fields.pixels) used.buffers = directive.buffers;
    const bool has_number = fields.split || fields.dimension || fields.pixels || fields.steps;
    if (has_number) used.factor = directive.factor;
    if (fields.split) used.tail = directive.tail;
    if (fields.memory) used.memory = directive.memory;
    if (fields.site) {
        used.site_func = directive.site_func;
        used.site_loop = directive.site_loop;
        used.site_stage = directive.site_stage;
    }
    if (fields.wrapper) {
        used.wrapped_func = directive.wrapped_func;
        used.reader_func = directive.reader_func;
    }
    if (fields.factor) used.made_func = directive.made_func;
    if (!(used == directive)) return "it sets a field that this op doesn't use";
    return std::nullopt;
}

Complaint Checker::site(const Directive &directive) const {
    const auto it = stages_.find({directive.site_func, directive.site_stage});
    if (it == stages_.end()) return no_stage(directive.site_func, directive.site_stage);
    if (directive.site_func == directive.func) {
        return "a Func can't be computed in a loop of its own";
    }
    const LoopRef &loop = directive.site_loop;
    if (loop.is_original() && !it->second.has_original(loop)) return it->second.missing(loop);
    return std::nullopt;
}

// Halide takes no specialization of either.
Complaint Checker::with(const Directive &directive) {
    if (auto why = site(directive)) return why;
    const std::pair key(directive.func, directive.stage);
    for (const auto &stage : {key, std::pair(directive.site_func, directive.site_stage)}) {
        if (full_tiles_.contains(stage) || rows_.contains(stage)) {
            return "a stage with schedules of its own for some sizes can't share loops";
        }
    }
    if (!stages_.at(key).is_live(directive.site_loop)) {
        return stages_.at(key).missing(directive.site_loop);
    }
    if (!with_.insert(key).second) return "it shares loops with another stage already";
    return std::nullopt;
}

Complaint Checker::wrap(const Directive &directive) {
    const auto wrapped = funcs_.find(directive.wrapped_func);
    if (wrapped == funcs_.end()) return no_stage(directive.wrapped_func, 0);
    if (directive.reader_func >= 0 && !funcs_.contains(directive.reader_func)) {
        return no_stage(directive.reader_func, 0);
    }
    if (directive.func < 0 || directive.func >= kMaxFuncs || funcs_.contains(directive.func)) {
        return "a wrapper needs an index of its own below " + std::to_string(kMaxFuncs);
    }
    if (directive.reader_func == directive.wrapped_func) return "a Func can't wrap itself";
    if (!wrapped_.insert({directive.wrapped_func, directive.reader_func}).second) {
        return "it has a wrapper for that already";
    }
    Stage &stage = made_stages_.emplace_back();
    for (const Dimension &dim : wrapped->second->dims) {
        Loop &loop = stage.loops.emplace_back();
        loop.name = dim.name;
        loop.dim = static_cast<int>(stage.loops.size()) - 1;
    }
    Func &func = made_.emplace_back();
    func.name = directive.func_name;
    func.dims = wrapped->second->dims;
    func.stages.resize(1);
    funcs_[directive.func] = &func;
    stages_.emplace(std::pair(directive.func, 0), StageState(stage));
    return std::nullopt;
}

Complaint Checker::factor(const Directive &directive) {
    if (directive.loops.size() % 2 != 0) return "each loop needs a dimension";
    const int made_func = directive.made_func;
    if (made_func < 0 || made_func >= kMaxFuncs || funcs_.contains(made_func)) {
        return "what it makes needs an index of its own below " + std::to_string(kMaxFuncs);
    }
    std::variant<StageState, std::string> update =
        stages_.at({directive.func, directive.stage}).take_out(directive);
    if (const auto *why = std::get_if<std::string>(&update)) return *why;
    const Func &whole = *funcs_.at(directive.func);
    Stage &stage = made_stages_.emplace_back();
    Func &func = made_.emplace_back();
    func.name = whole.name + "_intm";
    func.dims = whole.dims;
    for (size_t i = directive.loops.size() / 2; i < directive.loops.size(); ++i) {
        func.dims.emplace_back().name = directive.loops[i].name;
    }
    for (const Dimension &dim : func.dims) {
        Loop &loop = stage.loops.emplace_back();
        loop.name = dim.name;
        loop.dim = static_cast<int>(stage.loops.size()) - 1;
    }
    func.stages.resize(2);
    funcs_[made_func] = &func;
    stages_.emplace(std::pair(made_func, 0), StageState(stage));
    stages_.emplace(std::pair(made_func, 1), std::get<StageState>(std::move(update)));
    return std::nullopt;
}

Complaint Checker::reorder_storage(const Directive &directive) const {
    const Func &func = *funcs_.at(directive.func);
    if (func.is_output()) return "an output's storage is its caller's";
    std::set<int> dims;
    for (const LoopRef &loop : directive.loops) {
        if (!loop.is_original()) return "it takes dimensions of the Func, not loops that are made";
        dims.insert(loop.original);
    }
    const size_t count = func.dims.size();
    const bool all = dims.size() == count && directive.loops.size() == count &&
                     *dims.rbegin() == static_cast<int>(count) - 1;
    if (all) return std::nullopt;
    return "it takes each of the " + std::to_string(count) + " dimensions once";
}

Complaint Checker::place(const Directive &directive) {
    if (directive.op == DirectiveOp::store_in) {
        if (!is_storable(directive.memory)) return "no Func can be stored there";
        if (!stored_.insert(directive.func).second) return "its memory is already chosen";
        return std::nullopt;
    }
    if (shape(directive.op).dimension) return dimension(directive);
    if (directive.op == DirectiveOp::reorder_storage) return reorder_storage(directive);
    const bool stores = directive.op == DirectiveOp::store_at;
    if (!(stores ? stored_at_ : placed_).insert(directive.func).second) {
        return stores ? "it already has a place to be stored at"
                      : "it already has a place to be computed at";
    }
    if (directive.op == DirectiveOp::compute_root) return std::nullopt;
    if (funcs_.at(directive.func)->is_output()) return "an output is always computed at root";
    return site(directive);
}

Complaint Checker::dimension(const Directive &directive) {
    const bool is_size = directive.op == DirectiveOp::bound_extent;
    if (funcs_.at(directive.func)->is_output()) {
        return is_size ? "an output's size is its caller's" : "an output's storage is its caller's";
    }
    const LoopRef &loop = directive.loops.front();
    const StageState &pure = stages_.at({directive.func, 0});
    if (!loop.is_original()) {
        return "it takes a dimension of the Func, " + pure.shown(loop) + " is a loop that is made";
    }
    if (!pure.has_original(loop)) return pure.missing(loop);
    if (!measures_.emplace(directive.op, directive.func, loop.original).second) {
        const bool aligns = directive.op == DirectiveOp::align_storage;
        return pure.shown(loop) + (aligns ? " is aligned already" : " is bounded already");
    }
    return std::nullopt;
}

Complaint Checker::specialize(const Directive &directive) {
    const auto site = funcs_.find(directive.site_func);
    if (site == funcs_.end()) return no_stage(directive.site_func, 0);
    const std::pair key(directive.func, directive.stage);
    const size_t reductions = directive.loops.size(), dims = site->second->dims.size();
    for (const size_t extents : {directive.least.size(), directive.most.size()}) {
        if (dims + reductions == extents) continue;
        return site->second->name + " has " + std::to_string(dims) + " dimensions" +
               (reductions > 0 ? ", and " + std::to_string(reductions) + " loops are named" : "") +
               ", not " + std::to_string(extents);
    }
    for (const LoopRef &loop : directive.loops) {
        if (!stages_.at(key).has_original(loop)) return stages_.at(key).missing(loop);
        if (directive.stage == 0) return "only an update has loops of a reduction";
        if (directive.site_func != directive.func) return "the loops are those of another Func";
    }
    if (!stages_.at(key).is_fresh() || full_tiles_.contains(key)) {
        return "it must come once, and before all other directives of the stage";
    }
    full_tiles_.emplace(key, stages_.at(key));
    return std::nullopt;
}

// Whose rows must be aligned.
Complaint Checker::rows(const Directive &directive) const {
    const bool may_lack = directive.op == DirectiveOp::specialize_aligned;
    if (!may_lack || directive.site_func != -1) {
        const auto site = funcs_.find(directive.site_func);
        if (site == funcs_.end()) return no_stage(directive.site_func, 0);
        if (!site->second->is_output()) return site->second->name + " is no output";
    }
    for (const api::InputBuffer &input : directive.inputs) {
        if (!has_input(input.name, input.dimensions)) {
            return no_input(input.name, input.dimensions);
        }
    }
    return std::nullopt;
}

bool Checker::has_input(const std::string &name, int dimensions) const {
    return std::ranges::any_of(dag_.funcs, [&](const Func &func) {
        return func.is_input() && func.name == name &&
               func.dims.size() == static_cast<size_t>(dimensions);
    });
}

// Whose pixels must be aligned.
Complaint Checker::pixels(const Directive &directive) const {
    if (directive.buffers.empty()) return "no buffer is named";
    for (const api::PixelBuffer &buffer : directive.buffers) {
        if (buffer.func < 0) {
            if (!has_input(buffer.input, buffer.dimensions)) {
                return no_input(buffer.input, buffer.dimensions);
            }
            continue;
        }
        const auto output = funcs_.find(buffer.func);
        if (output == funcs_.end()) return no_stage(buffer.func, 0);
        if (!output->second->is_output()) return output->second->name + " is no output";
        if (output->second->dims.size() != static_cast<size_t>(buffer.dimensions)) {
            return output->second->name + " has " + std::to_string(output->second->dims.size()) +
                   " dimensions, not " + std::to_string(buffer.dimensions);
        }
    }
    return std::nullopt;
}

// Whose ends must be multiples.
Complaint Checker::multiples(const Directive &directive) const {
    const auto site = funcs_.find(directive.site_func);
    if (site == funcs_.end()) return no_stage(directive.site_func, 0);
    if (!site->second->is_output()) return site->second->name + " is no output";
    if (site->second->dims.size() == directive.multiples.size()) return std::nullopt;
    return site->second->name + " has " + std::to_string(site->second->dims.size()) +
           " dimensions, not " + std::to_string(directive.multiples.size());
}

Complaint Checker::apply(const Directive &directive) {
    if (shape(directive.op).wrapper) {
        const Complaint why = well_formed(directive);
        return why ? why : wrap(directive);
    }
    const auto stage = stages_.find({directive.func, directive.stage});
    if (stage == stages_.end()) return no_stage(directive.func, directive.stage);
    if (auto why = well_formed(directive)) return why;
    if (is_func_level(directive.op)) return place(directive);
    if (shape(directive.op).factor) return factor(directive);
    if (shape(directive.op).extents) return specialize(directive);
    if (shape(directive.op).aligned) {
        if (auto why = rows(directive)) return why;
    }
    if (shape(directive.op).pixels) {
        if (auto why = pixels(directive)) return why;
    }
    if (shape(directive.op).multiples) return multiples(directive);
    if (directive.op == DirectiveOp::compute_with) return with(directive);
    StageState *branch = branch_of(directive);
    if (branch == nullptr) {
        return "the stage has no schedule of its own for " +
               std::string(directive.branch == Branch::full_tiles ? "full tiles" : "aligned rows");
    }
    if (begins_aligned(directive.op)) return align_rows(directive, *branch);
    return branch->apply(directive);
}

// Null if the stage has no such branch.
StageState *Checker::branch_of(const Directive &directive) {
    auto &stages = directive.branch == Branch::otherwise    ? stages_
                   : directive.branch == Branch::full_tiles ? full_tiles_
                                                            : rows_;
    const auto found = stages.find({directive.func, directive.stage});
    return found == stages.end() ? nullptr : &found->second;
}

Complaint Checker::align_rows(const Directive &directive, const StageState &branch) {
    const LoopRef &loop = directive.loops.front();
    if (directive.stage == 0) return "only an update is a reduction";
    if (!loop.is_original() || !branch.is_live(loop)) return branch.missing(loop);
    if (rows_.try_emplace({directive.func, directive.stage}, branch.branch()).second)
        return std::nullopt;
    return "the stage has a schedule for aligned rows already";
}

// A Func with updates is so without a place, too: where it is read.
bool Checker::is_computed_somewhere(int index) const {
    const Func &func = *funcs_.at(index);
    return func.is_output() || func.stages.size() > 1 || func.ours != Func::Ours::all ||
           placed_.contains(index);
}

Complaint Checker::in_the_end(const Directive &directive) const {
    if (shape(directive.op).site) return site_in_the_end(directive);
    if (!shape(directive.op).extents || is_computed_somewhere(directive.site_func)) {
        return std::nullopt;
    }
    return site_name(directive) + " is inlined, and of what is inlined no extents are known";
}

// Whether the loop is there in which this Func is to be computed.
Complaint Checker::site_in_the_end(const Directive &directive) const {
    const LoopRef &loop = directive.site_loop;
    const StageState &at = stages_.at({directive.site_func, directive.site_stage});
    const auto is_there = [&](const std::map<std::pair<int, int>, StageState> &stages) {
        return std::ranges::any_of(stages, [&](const auto &entry) {
            const auto &[key, state] = entry;
            const bool named = key.first == directive.site_func && !loop.is_original();
            return (named || &state == &at) && state.is_live(loop);
        });
    };
    const auto is_in = [&](const std::map<std::pair<int, int>, StageState> &branches) {
        const auto branch = branches.find({directive.site_func, directive.site_stage});
        return branch == branches.end() || branch->second.is_live(loop);
    };
    if (is_there(stages_) && is_in(full_tiles_) && is_in(rows_)) return std::nullopt;
    return site_name(directive) + " has no such loop in the end: " + at.shown(loop) +
           " is never made, or is split or fused away";
}

}  // namespace

Status check_against(const Schedule &schedule, const Dag &dag) {
    Checker checker(dag);
    const auto error = [&](size_t i, const std::string &why) {
        return Error{"directive " + std::to_string(i + 1) + ", " +
                     describe(schedule[i], checker.site_name(schedule[i])) + ": " + why};
    };
    for (size_t i = 0; i < schedule.size(); ++i) {
        if (auto why = checker.apply(schedule[i])) return error(i, *why);
    }
    for (size_t i = 0; i < schedule.size(); ++i) {
        if (auto why = checker.in_the_end(schedule[i])) return error(i, *why);
    }
    return Ok{};
}

}  // namespace autoschedule_gpu
