#include "space/space.h"

#include <algorithm>

#include "nest/edit.h"
#include "nest/regions.h"

namespace autoschedule_gpu {

namespace {

// §4: a state that requires excessive recomputation is rejected.
constexpr double kMaxRecompute = 10;
// Evaluations of inlined Funcs per point of a stage: their expressions are all written out.
constexpr double kMaxInlinedCalls = 64;
// Points of one array per thread; beyond, it can't stay in registers.
constexpr int64_t kMaxThreadPoints = 64;
// Other tilings that are tried for a kernel in which a Func is computed.
constexpr size_t kMaxRetilings = 64;
// A Func this cheap, with one load, is a copy with a boundary condition or a conversion.
constexpr double kCopyOps = 4;
constexpr double kCheapOps = 12;

int64_t product(const std::vector<int64_t> &values) {
    int64_t result = 1;
    for (int64_t v : values) result *= v;
    return result;
}

double points_at_root(const Func &func) {
    double result = 1;
    for (const Dimension &dim : func.dims) result *= static_cast<double>(dim.estimate.extent());
    return std::max(1.0, result);
}

Move make_move(Move::Kind kind, FuncId func) {
    Move move;
    move.kind = kind;
    move.func = func;
    return move;
}

// `base` with the Func computed where the move says.
KernelPtr placed(const Dag &dag, const KernelPtr &base, const Move &move) {
    return move.kind == Move::Kind::compute_in_thread
               ? compute_in_thread(dag, base, move.site, move.func, move.extents)
               : compute_in_block(dag, base, move.func, move.extents, move.serial);
}

// The serial tiles that are tried in a kernel that was tiled anew: one point per thread, and the
// root stage's own tile.
std::vector<std::vector<int64_t>> few_serials(const Dag &dag, const Kernel &kernel,
                                              const std::vector<int64_t> &extents) {
    std::vector<int64_t> like_root(extents.size(), 1);
    const Stage &root = dag.stage(kernel.stage);
    for (size_t i = 0; i < root.loops.size(); ++i) {
        const int dim = root.loops[i].dim;
        if (dim < 0 || dim >= static_cast<int>(extents.size())) continue;
        like_root[dim] = std::min(kernel.tiling[i].serial, extents[dim]);
    }
    std::vector<std::vector<int64_t>> serials(1, std::vector<int64_t>(extents.size(), 1));
    if (like_root != serials[0]) serials.push_back(std::move(like_root));
    return serials;
}

}  // namespace

SearchSpace::SearchSpace(const Dag &dag, const GpuModel &gpu, const RuleSet &rules, Freedom freedom)
    : dag_(dag),
      gpu_(gpu),
      rules_(rules),
      freedom_(freedom),
      forced_inline_(dag.funcs.size(), false),
      tilings_(dag.stages.size()) {
    for (size_t i = dag.funcs.size(); i-- > 0;) {
        const FuncId func(i);
        if (dag.funcs[i].is_input()) continue;
        forced_inline_[i] = always_inlined(func);
        if (forced_inline_[i]) continue;
        steps_.push_back({Step::Kind::place, func, StageId()});
        if (dag.funcs[i].on_host()) continue;
        for (StageId stage : dag.funcs[i].stages) {
            tilings_[stage.index()] = root_tilings(dag, gpu, rules, stage, static_rejections_);
            steps_.push_back({Step::Kind::tile, func, stage});
        }
    }
}

bool SearchSpace::always_inlined(FuncId id) const {
    const Func &func = dag_.func(id);
    const std::vector<EdgeId> &edges = dag_.consumers[id.index()];
    if (func.must_inline) return true;
    if (freedom_ == Freedom::root_only) return false;
    if (!func.can_inline || func.on_host() || func.is_output() || edges.empty()) return false;
    bool pointwise = true;
    for (EdgeId edge : edges) {
        if (dag_.func_of(dag_.edge(edge).consumer).on_host()) return false;
        pointwise = pointwise && dag_.edge(edge).pointwise;
    }
    const Stage &stage = dag_.stage(func.stages[0]);
    int loads = 0;
    for (const Load &load : stage.loads) loads += load.count;
    if (loads <= 1 && stage.ops.total() <= kCopyOps) return true;
    return pointwise && (edges.size() == 1 || stage.ops.total() <= kCheapOps);
}

State SearchSpace::initial() const {
    State state;
    state.nest = empty_nest(dag_);
    for (size_t i = 0; i < forced_inline_.size(); ++i) {
        if (forced_inline_[i]) state.nest.placements[i] = Placement::inlined;
    }
    state.home.assign(dag_.stages.size(), -1);
    state.id = state.nest.hash();
    return state;
}

// Adds the always-inlined Funcs that the kernel's stages have come to use.
KernelPtr SearchSpace::with_forced_inlines(KernelPtr kernel) const {
    std::vector<StageId> work{kernel->stage};
    for (const Band *threads : thread_bands(*kernel)) {
        for (const BandPtr &inner : threads->body) work.push_back(inner->stage);
    }
    for (FuncId func : kernel->inlined) work.push_back(dag_.func(func).stages[0]);
    while (!work.empty()) {
        const StageId stage = work.back();
        work.pop_back();
        for (EdgeId edge : dag_.stage(stage).edges) {
            const FuncId func = dag_.edge(edge).producer;
            if (!forced_inline_[func.index()] || is_inlined(*kernel, func)) continue;
            kernel = inline_func(kernel, func);
            work.push_back(dag_.func(func).stages[0]);
        }
    }
    return kernel;
}

std::vector<Move> SearchSpace::moves(const State &state, const Step &step, Retile retile,
                                     RuleCounts &rejected) const {
    std::vector<Move> result;
    const auto reject = [&](Rule rule) { ++rejected[static_cast<size_t>(rule)]; };
    if (step.kind == Step::Kind::tile) {
        if (state.nest.placement(step.func) != Placement::root) {
            result.push_back({});
            return result;
        }
        const size_t kernel = static_cast<size_t>(state.home[step.stage.index()]);
        for (const Tiling &tiling : tilings_[step.stage.index()]) {
            Move move = make_move(Move::Kind::tile_root, step.func);
            move.stage = step.stage;
            move.kernel = kernel;
            move.tiling = &tiling;
            result.push_back(std::move(move));
        }
        return result;
    }
    const Func &func = dag_.func(step.func);
    const std::vector<size_t> consumers = consumer_kernels(dag_, state, step.func);
    const bool host =
        func.on_host() || std::any_of(consumers.begin(), consumers.end(),
                                      [&](size_t k) { return state.nest.kernels[k]->on_host; });
    if (!func.is_output() && !consumers.empty()) {
        if (host) {
            reject(Rule::host_boundary);
        } else {
            if (func.can_inline && freedom_ != Freedom::root_only) {
                result.push_back(make_move(Move::Kind::compute_inline, step.func));
            }
            if (freedom_ == Freedom::full) {
                fused_moves(state, step.func, consumers, retile, result, rejected);
            }
        }
    }
    result.push_back(make_move(Move::Kind::compute_root, step.func));
    return result;
}

void SearchSpace::fused_moves(const State &state, FuncId func, const std::vector<size_t> &consumers,
                              Retile retile, std::vector<Move> &moves, RuleCounts &rejected) const {
    const auto reject = [&](Rule rule) { ++rejected[static_cast<size_t>(rule)]; };
    if (consumers.size() != 1) return reject(Rule::halide_nesting);
    const KernelPtr &kernel = state.nest.kernels[consumers[0]];
    const std::vector<Loop> &loops = dag_.stage(kernel->stage).loops;
    if (std::none_of(loops.begin(), loops.end(), [](const Loop &l) { return l.parallel; })) {
        return reject(Rule::halide_nesting);  // no block loop to compute at
    }
    moves_into(kernel, consumers[0], func, Retile::no, moves, rejected);
    if (retile == Retile::no) return;
    const std::vector<Tiling> &tilings = tilings_[kernel->stage.index()];
    const size_t stride = (tilings.size() + kMaxRetilings - 1) / kMaxRetilings;
    for (size_t i = stride / 2; i < tilings.size(); i += std::max<size_t>(1, stride)) {
        if (tilings[i] == kernel->tiling) continue;
        if (const KernelPtr base = retiled(*kernel, tilings[i])) {
            moves_into(base, consumers[0], func, Retile::yes, moves, rejected);
        }
    }
}

// Moves that compute `func` in `base`, the kernel at `index`; with few serial tiles only if it was
// tiled anew.
void SearchSpace::moves_into(const KernelPtr &base, size_t index, FuncId func, Retile retile,
                             std::vector<Move> &moves, RuleCounts &rejected) const {
    const auto reject = [&](Rule rule) { ++rejected[static_cast<size_t>(rule)]; };
    const auto fused = [&](Move::Kind kind, const std::vector<int64_t> &extents) {
        Move move = make_move(kind, func);
        move.kernel = index;
        move.base = base;
        move.extents = extents;
        return move;
    };
    if (const ConstantExtents extents = extents_in_block(dag_, *base, func)) {
        std::vector<std::vector<int64_t>> serials =
            retile == Retile::no ? block_level_serials(gpu_, rules_, *extents, rejected)
                                 : few_serials(dag_, *base, *extents);
        for (std::vector<int64_t> &serial : serials) {
            moves.push_back(fused(Move::Kind::compute_in_block, *extents));
            moves.back().serial = std::move(serial);
        }
    } else {
        reject(Rule::dynamic_allocation);
    }
    const std::vector<const Band *> bands = consumer_bands(dag_, *base, func);
    if (bands.size() != 1 || bands[0]->axes.empty()) return reject(Rule::halide_nesting);
    if (const ConstantExtents extents = extents_in_thread(dag_, *base, *bands[0], func)) {
        moves.push_back(fused(Move::Kind::compute_in_thread, *extents));
        moves.back().site = bands[0]->stage;
    } else {
        reject(Rule::dynamic_allocation);
    }
}

// The kernel with another tiling of its root stage and everything in it computed as before, over
// the regions that this leads to; null where that is not possible.
KernelPtr SearchSpace::retiled(const Kernel &kernel, const Tiling &tiling) const {
    std::vector<Move> members;
    for (const Band *threads : thread_bands(kernel)) {
        for (const BandPtr &inner : threads->body) {
            const Stage &stage = dag_.stage(inner->stage);
            if (inner->stage == kernel.stage || stage.index > 0) continue;
            Move member;
            member.func = stage.func;
            member.site = threads->stage;
            member.serial = inner->trips;
            member.kind = inner->stage == threads->stage ? Move::Kind::compute_in_block
                                                         : Move::Kind::compute_in_thread;
            members.push_back(std::move(member));
        }
    }
    std::sort(members.begin(), members.end(),
              [](const Move &a, const Move &b) { return a.func > b.func; });
    KernelPtr changed = make_kernel(dag_, kernel.stage, tiling);
    for (FuncId func : kernel.inlined) changed = inline_func(changed, func);
    for (Move &member : members) {
        const bool in_thread = member.kind == Move::Kind::compute_in_thread;
        const Band *site = nullptr;
        for (const Band *threads : thread_bands(*changed)) {
            if (threads->stage == member.site) site = threads;
        }
        if (in_thread && (site == nullptr || site->axes.empty())) return nullptr;
        ConstantExtents extents = in_thread ? extents_in_thread(dag_, *changed, *site, member.func)
                                            : extents_in_block(dag_, *changed, member.func);
        if (!extents) return nullptr;
        member.extents = std::move(*extents);
        if (rejects_fusion(*changed, member)) return nullptr;
        changed = placed(dag_, changed, member);
    }
    return changed;
}

std::variant<Successor, Rule> SearchSpace::apply(const State &state, const Move &move) const {
    switch (move.kind) {
        case Move::Kind::keep:
            return Successor{FuncId(), Placement::root, {}};
        case Move::Kind::compute_inline:
            return inline_successor(state, move.func);
        case Move::Kind::compute_root:
            return root_successor(state, move.func);
        case Move::Kind::compute_in_block:
        case Move::Kind::compute_in_thread:
            return fused_successor(move);
        case Move::Kind::tile_root:
            break;
    }
    const KernelPtr &old = state.nest.kernels[move.kernel];
    KernelPtr kernel = with_forced_inlines(make_kernel(dag_, old->stage, *move.tiling));
    return check_hardware({move.func, Placement::root, {{move.kernel, std::move(kernel)}}});
}

std::variant<Successor, Rule> SearchSpace::inline_successor(const State &state, FuncId func) const {
    Successor successor{func, Placement::inlined, {}};
    for (size_t k : consumer_kernels(dag_, state, func)) {
        KernelPtr kernel = with_forced_inlines(inline_func(state.nest.kernels[k], func));
        if (rules_.has(Rule::code_size) && too_much_code(*kernel)) return Rule::code_size;
        successor.changes.push_back({k, std::move(kernel)});
    }
    return successor;
}

// Calls of inlined Funcs per point of any of the kernel's stages, every one written out.
bool SearchSpace::too_much_code(const Kernel &kernel) const {
    std::vector<double> calls(dag_.funcs.size());
    const auto over_limit = [&](StageId stage) {
        std::fill(calls.begin(), calls.end(), 0.0);
        const auto add = [&](StageId via, double evaluations) {
            for (const Load &load : dag_.stage(via).loads) {
                if (load.producer != dag_.stage(via).func && is_inlined(kernel, load.producer)) {
                    calls[load.producer.index()] += evaluations * load.count;
                }
            }
        };
        add(stage, 1);
        double total = 0;
        for (size_t i = kernel.inlined.size(); i-- > 0;) {
            const FuncId func = kernel.inlined[i];
            const double here = calls[func.index()];
            if (here == 0) continue;
            add(dag_.func(func).stages[0], here);
            if (!forced_inline_[func.index()]) total += here;
        }
        return total > kMaxInlinedCalls;
    };
    for (const Band *threads : thread_bands(kernel)) {
        for (const BandPtr &inner : threads->body) {
            if (over_limit(inner->stage)) return true;
        }
    }
    return false;
}

Successor SearchSpace::root_successor(const State &state, FuncId id) const {
    const Func &func = dag_.func(id);
    Successor successor{id, Placement::root, {}};
    for (StageId stage : func.stages) {
        KernelPtr kernel =
            func.on_host() ? make_host_kernel(dag_, stage)
                           : with_provisional(with_forced_inlines(make_kernel(
                                                  dag_, stage, default_tiling(dag_, gpu_, stage))),
                                              true);
        successor.changes.push_back(
            {state.nest.kernels.size() + successor.changes.size(), std::move(kernel)});
    }
    return successor;
}

std::optional<Rule> SearchSpace::rejects_fusion(const Kernel &kernel, const Move &move) const {
    const bool in_thread = move.kind == Move::Kind::compute_in_thread;
    if (in_thread && rules_.has(Rule::large_thread_allocation) &&
        product(move.extents) > kMaxThreadPoints) {
        return Rule::large_thread_allocation;
    }
    double times = static_cast<double>(iterations(*kernel.blocks));
    if (in_thread) {
        for (const Band *threads : thread_bands(kernel)) {
            if (threads->stage == move.site) times *= static_cast<double>(iterations(*threads));
        }
    }
    const double evaluations = times * static_cast<double>(product(move.extents));
    if (rules_.has(Rule::excess_recompute) &&
        evaluations > kMaxRecompute * points_at_root(dag_.func(move.func))) {
        return Rule::excess_recompute;
    }
    return std::nullopt;
}

std::variant<Successor, Rule> SearchSpace::fused_successor(const Move &move) const {
    if (const std::optional<Rule> rule = rejects_fusion(*move.base, move)) return *rule;
    KernelPtr changed = with_forced_inlines(placed(dag_, move.base, move));
    return check_hardware({move.func, Placement::fused, {{move.kernel, std::move(changed)}}});
}

std::variant<Successor, Rule> SearchSpace::check_hardware(Successor successor) const {
    for (const KernelChange &change : successor.changes) {
        const Kernel &kernel = *change.kernel;
        const ThreadExtents block = block_size(kernel);
        if (block.total() > gpu_.max_threads_per_block || block.x > gpu_.max_threads_x ||
            block.y > gpu_.max_threads_y || block.z > gpu_.max_threads_z) {
            return Rule::hardware_threads;
        }
        int64_t shared = 0;
        for (const Band *threads : thread_bands(kernel)) {
            const Stage &stage = dag_.stage(threads->stage);
            if (threads->stage == kernel.stage || stage.index > 0) continue;
            shared += iterations(*threads) * iterations(*threads->body.back()) *
                      dag_.func(stage.func).bytes_per_point();
        }
        if (shared > gpu_.shared_bytes_per_block) return Rule::hardware_shared;
        // The third grid dimension takes every loop after the second, fused.
        std::vector<int64_t> grid;
        const std::vector<int> &axes = root_threads(kernel)->axes;
        for (int axis : axes) grid.push_back(kernel.blocks->trips[axis]);
        for (size_t i = 0; i < kernel.blocks->trips.size(); ++i) {
            const bool axis =
                std::find(axes.begin(), axes.end(), static_cast<int>(i)) != axes.end();
            if (!axis && dag_.stage(kernel.stage).loops[i].parallel) {
                grid.push_back(kernel.blocks->trips[i]);
            }
        }
        while (grid.size() > 3) {
            grid[grid.size() - 2] *= grid.back();
            grid.pop_back();
        }
        const int64_t limits[] = {gpu_.max_blocks_x, gpu_.max_blocks_y, gpu_.max_blocks_z};
        for (size_t i = 0; i < grid.size(); ++i) {
            if (grid[i] > limits[i]) return Rule::hardware_grid;
        }
    }
    return successor;
}

Move SearchSpace::plain_move(const Step &step) {
    if (step.kind == Step::Kind::tile) return {};
    return make_move(Move::Kind::compute_root, step.func);
}

}  // namespace autoschedule_gpu
