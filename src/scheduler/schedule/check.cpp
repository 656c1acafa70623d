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

#include "scheduler/schedule/ascii.h"
#include "scheduler/schedule/trace.h"

namespace autoschedule_gpu {
namespace {

using Complaint = std::optional<std::string>;

// Halide reads dots and dollars in the names of loops as its own.
bool is_identifier(const std::string &name) {
    const auto is_legal = [](char c) { return is_letter_or_digit(c) || c == '_'; };
    return !name.empty() && !is_digit(name.front()) && std::ranges::all_of(name, is_legal);
}

bool is_mark(DirectiveOp op) {
    return op == DirectiveOp::unroll || op == DirectiveOp::vectorize ||
           op == DirectiveOp::gpu_blocks || op == DirectiveOp::gpu_threads;
}

// The loops of one stage while its directives are gone through.
class StageState {
public:
    explicit StageState(const Stage &stage) : stage_(&stage) {
        for (size_t i = 0; i < stage.loops.size(); ++i) {
            live_.push_back(
                {{static_cast<int>(i), stage.loops[i].name}, std::nullopt, stage.loops[i].kind});
            names_.insert(stage.loops[i].name);
        }
        live_.push_back({LoopRef::outermost(), std::nullopt});
    }

    Complaint apply(const Directive &directive);

    // Takes the loops of an rfactor out. Returns the update of what it makes; the loops that are
    // left are those that were taken out, and the pure ones.
    std::variant<StageState, std::string> take_out(const Directive &rfactor);

    // The same for another branch, where what is unrolled so far may be a vector instead.
    StageState branch() const {
        StageState other = *this;
        for (LiveLoop &live : other.live_) {
            if (live.mark == DirectiveOp::unroll) live.mark.reset();
        }
        return other;
    }

    // True if no directive has been applied yet.
    bool is_fresh() const { return !touched_; }

    bool is_live(const LoopRef &loop) const {
        return std::any_of(live_.begin(), live_.end(),
                           [&](const LiveLoop &live) { return live.loop == loop; });
    }

    bool has_original(const LoopRef &loop) const {
        return static_cast<size_t>(loop.original) < stage_->loops.size();
    }

    std::string shown(const LoopRef &loop) const {
        if (!loop.is_original()) return "\"" + loop.name + "\"";
        const std::string position = "loop " + std::to_string(loop.original);
        if (!has_original(loop)) return position;
        return position + " (" + stage_->loops[static_cast<size_t>(loop.original)].name + ")";
    }

    // Why `loop` is not there now.
    std::string missing(const LoopRef &loop) const {
        if (loop.is_original() && !has_original(loop)) {
            return "the stage has " + std::to_string(stage_->loops.size()) +
                   " loops of its own; there is no " + shown(loop);
        }
        const bool existed = loop.is_original() || names_.contains(loop.name);
        return shown(loop) + (existed ? " is no longer there: a split or fusion has consumed it"
                                      : " is used before a directive makes it");
    }

private:
    struct LiveLoop {
        LoopRef loop;
        std::optional<DirectiveOp> mark;
        Loop::Kind kind = Loop::Kind::pure;
    };

    LiveLoop *find(const LoopRef &loop) {
        const auto it = std::find_if(live_.begin(), live_.end(),
                                     [&](const LiveLoop &live) { return live.loop == loop; });
        return it == live_.end() ? nullptr : &*it;
    }

    Complaint consume(const Directive &directive, size_t old_count);
    Complaint make(const LoopRef &loop, Loop::Kind kind);
    Complaint mark(const Directive &directive);
    Complaint single_thread();
    Complaint atomic();

    const Stage *stage_;
    std::vector<LiveLoop> live_;
    std::set<std::string> names_;  // ever used in this stage
    bool touched_ = false;
    bool single_thread_ = false;
    bool atomic_ = false;
};

Complaint StageState::make(const LoopRef &loop, Loop::Kind kind) {
    if (loop.is_original()) {
        return "the loops that it makes need names, " + shown(loop) + " is the stage's own";
    }
    if (!is_identifier(loop.name)) {
        return shown(loop) + " can't name a loop: letters, digits and _ only";
    }
    if (!names_.insert(loop.name).second) {
        return shown(loop) + " is already the name of a loop of this stage";
    }
    live_.push_back({loop, std::nullopt, kind});
    return std::nullopt;
}

std::variant<StageState, std::string> StageState::take_out(const Directive &rfactor) {
    const size_t count = rfactor.loops.size() / 2;
    if (stage_->partials == Partials::no) return "its partial results can't be put together";
    StageState made = *this;
    for (size_t i = 0; i < count; ++i) {
        const LiveLoop *live = find(rfactor.loops[i]);
        if (live == nullptr) return missing(rfactor.loops[i]);
        if (live->kind != Loop::Kind::reduction) {
            return shown(rfactor.loops[i]) + " is no loop of the reduction";
        }
        LiveLoop *other = made.find(rfactor.loops[i]);
        if (other == nullptr) return shown(rfactor.loops[i]) + " is named twice";
        made.live_.erase(made.live_.begin() + (other - made.live_.data()));
        if (auto why = made.make(rfactor.loops[count + i], Loop::Kind::pure)) return *why;
    }
    std::erase_if(live_, [&](const LiveLoop &live) {
        const auto end = rfactor.loops.begin() + static_cast<std::ptrdiff_t>(count);
        return live.kind == Loop::Kind::reduction &&
               std::find(rfactor.loops.begin(), end, live.loop) == end;
    });
    return made;
}

// split, fuse: the first `old_count` loops go, the others come.
Complaint StageState::consume(const Directive &directive, size_t old_count) {
    Loop::Kind kind = Loop::Kind::pure;
    for (size_t i = 0; i < old_count; ++i) {
        const LoopRef &old = directive.loops[i];
        const LiveLoop *live = find(old);
        if (live == nullptr) return missing(old);
        if (live->kind == Loop::Kind::reduction) kind = Loop::Kind::reduction;
        if (live->mark) {
            return shown(old) + " is already marked " + std::string(to_string(*live->mark));
        }
        live_.erase(live_.begin() + (live - live_.data()));
    }
    for (size_t i = old_count; i < directive.loops.size(); ++i) {
        if (auto why = make(directive.loops[i], kind)) return why;
    }
    return std::nullopt;
}

Complaint StageState::mark(const Directive &directive) {
    for (const LoopRef &loop : directive.loops) {
        LiveLoop *live = find(loop);
        if (live == nullptr) return missing(loop);
        if (live->mark) {
            return shown(loop) + " is already marked " + std::string(to_string(*live->mark));
        }
        live->mark = directive.op;
    }
    return std::nullopt;
}

Complaint StageState::single_thread() {
    const bool marked = std::any_of(live_.begin(), live_.end(), [](const LiveLoop &live) {
        return live.mark == DirectiveOp::gpu_blocks || live.mark == DirectiveOp::gpu_threads;
    });
    if (marked || std::exchange(single_thread_, true)) return "the stage is on the GPU already";
    return std::nullopt;
}

Complaint StageState::atomic() {
    if (stage_->atomics == Atomics::no) {
        return "its reduction is not one that atomic operations can do";
    }
    if (std::exchange(atomic_, true)) return "the stage is atomic already";
    return std::nullopt;
}

Complaint StageState::apply(const Directive &directive) {
    touched_ = true;
    if (shape(directive.op).aligned || shape(directive.op).pixels) {
        const LoopRef &loop = directive.loops.front();
        return find(loop) == nullptr ? Complaint(missing(loop)) : std::nullopt;
    }
    if (directive.op == DirectiveOp::gpu_single_thread) return single_thread();
    if (directive.op == DirectiveOp::atomic) return atomic();
    if (is_mark(directive.op)) return mark(directive);
    const int first_made = shape(directive.op).first_made;
    if (first_made >= 0) return consume(directive, static_cast<size_t>(first_made));
    // reorder
    for (size_t i = 0; i < directive.loops.size(); ++i) {
        const LoopRef &loop = directive.loops[i];
        if (find(loop) == nullptr) return missing(loop);
        if (std::find(directive.loops.begin(), directive.loops.begin() + static_cast<int>(i),
                      loop) != directive.loops.begin() + static_cast<int>(i)) {
            return shown(loop) + " is named twice";
        }
    }
    return std::nullopt;
}

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
    if ((fields.split || fields.dimension) &&
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
    if (fields.split || fields.dimension || fields.pixels) used.factor = directive.factor;
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
    if (directive.op == DirectiveOp::specialize_aligned) return align_rows(directive, *branch);
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
