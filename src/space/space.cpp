#include "space/space.h"

#include <algorithm>

#include "nest/edit.h"

namespace autoschedule_gpu {

namespace {

// §4: a state that requires excessive recomputation is rejected.
constexpr double kMaxRecompute = 10;
// Evaluations of inlined Funcs per point of a stage: their expressions are all written out.
constexpr double kMaxInlinedCalls = 64;
// The same per thread, in all points of its tile.
constexpr double kMaxUnrolledCalls = 256;
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

// Points of an innermost band that are written out one after the other, reductions apart.
double unrolled_points(const Dag &dag, const Band &inner) {
    const std::vector<bool> unrolled = unrolled_loops(dag, inner);
    double points = 1;
    for (size_t i = 0; i < unrolled.size(); ++i) {
        if (unrolled[i] && dag.stage(inner.stage).loops[i].parallel) {
            points *= static_cast<double>(inner.trips[i]);
        }
    }
    return points;
}

// The thread band of that stage, or null.
const Band *find_site(const Kernel &kernel, StageId stage) {
    for (const Band *threads : thread_bands(kernel)) {
        if (threads->stage == stage) return threads;
    }
    return nullptr;
}

// The serial tile of the kernel's root stage, where a Func of `extents` points has as many.
std::vector<int64_t> serial_like_root(const Dag &dag, const Kernel &kernel,
                                      const std::vector<int64_t> &extents) {
    std::vector<int64_t> serial(extents.size(), 1);
    const Stage &root = dag.stage(kernel.stage);
    for (size_t i = 0; i < root.loops.size(); ++i) {
        const int dim = root.loops[i].dim;
        if (dim < 0 || dim >= static_cast<int>(extents.size())) continue;
        serial[dim] = std::min(kernel.tiling[i].serial, extents[dim]);
    }
    return serial;
}

}  // namespace

SearchSpace::SearchSpace(const Dag &dag, const GpuModel &gpu, const RuleSet &rules, Freedom freedom)
    : dag_(dag),
      gpu_(gpu),
      rules_(rules),
      freedom_(freedom),
      copies_(dag.funcs.size(), false),
      forced_inline_(dag.funcs.size(), false),
      tilings_(dag.stages.size()) {
    for (size_t i = 0; i < copies_.size(); ++i) copies_[i] = copies_something(FuncId(i));
    for (size_t i = dag.funcs.size(); i-- > 0;) {
        const FuncId func(i);
        if (dag.funcs[i].is_input()) continue;
        forced_inline_[i] = always_inlined(func);
        if (forced_inline_[i]) continue;
        steps_.push_back({Step::Kind::place, func, StageId()});
        if (dag.funcs[i].on_host() || !may_be_at_root(func)) continue;
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
    bool pointwise = true, read_by_copies = true;
    for (EdgeId edge : edges) {
        const FuncId consumer = dag_.stage(dag_.edge(edge).consumer).func;
        if (dag_.func(consumer).on_host()) return false;
        pointwise = pointwise && dag_.edge(edge).pointwise;
        read_by_copies = read_by_copies && copies_[consumer.index()];
    }
    if (copies_[id.index()]) return pointwise || read_by_copies || freedom_ == Freedom::no_fusion;
    const double ops = dag_.stage(func.stages[0]).ops.total();
    return pointwise && (edges.size() == 1 || ops <= kCheapOps);
}

// An input under another name, a boundary condition, a conversion.
bool SearchSpace::copies_something(FuncId id) const {
    const Func &func = dag_.func(id);
    if (!func.can_inline || func.is_output() || func.stages.empty()) return false;
    const Stage &stage = dag_.stage(func.stages[0]);
    int loads = 0;
    for (const Load &load : stage.loads) loads += load.count;
    return loads <= 1 && stage.ops.total() <= kCopyOps;
}

bool SearchSpace::may_be_at_root(FuncId id) const {
    return freedom_ == Freedom::root_only || dag_.func(id).on_host() || !copies_[id.index()] ||
           std::any_of(
               dag_.consumers[id.index()].begin(), dag_.consumers[id.index()].end(),
               [&](EdgeId edge) { return dag_.func_of(dag_.edge(edge).consumer).on_host(); });
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
    if (may_be_at_root(step.func)) {
        result.push_back(make_move(Move::Kind::compute_root, step.func));
    }
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
    moves_into(*kernel, consumers[0], func, moves, rejected);
    if (retile == Retile::yes) retiling_moves_into(*kernel, consumers[0], func, moves);
}

// Moves that compute `func` in the kernel at `index` as it is tiled.
void SearchSpace::moves_into(const Kernel &kernel, size_t index, FuncId func,
                             std::vector<Move> &moves, RuleCounts &rejected) const {
    const auto reject = [&](Rule rule) { ++rejected[static_cast<size_t>(rule)]; };
    const auto add = [&](Move::Kind kind, const std::vector<int64_t> &extents) -> Move & {
        Move &move = moves.emplace_back(make_move(kind, func));
        move.kernel = index;
        move.extents = extents;
        return move;
    };
    if (const ConstantExtents extents = block_extents(kernel, kernel.tiling, {&func, 1})[0]) {
        for (auto &serial : block_level_serials(gpu_, rules_, *extents, rejected)) {
            add(Move::Kind::compute_in_block, *extents).serial = std::move(serial);
        }
    } else {
        reject(Rule::dynamic_allocation);
    }
    const std::vector<const Band *> bands = consumer_bands(dag_, kernel, func);
    if (bands.size() != 1 || bands[0]->axes.empty()) return reject(Rule::halide_nesting);
    if (const ConstantExtents extents = extents_in_thread(dag_, kernel, *bands[0], func)) {
        add(Move::Kind::compute_in_thread, *extents).site = bands[0]->stage;
    } else {
        reject(Rule::dynamic_allocation);
    }
}

// Constant, or bounded and known at run time. Then all loops must be threads, for a loop in a
// thread would be unrolled.
std::vector<ConstantExtents> SearchSpace::block_extents(const Kernel &kernel, const Tiling &tiling,
                                                        std::span<const FuncId> funcs) const {
    const std::vector<KnownExtents> known = extents_in_block(dag_, kernel, tiling, funcs);
    std::vector<ConstantExtents> extents;
    for (const KnownExtents &of_func : known) extents.push_back(if_all_known(of_func));
    if (std::all_of(extents.begin(), extents.end(), [](const auto &e) { return e.has_value(); })) {
        return extents;
    }
    const std::vector<ConstantExtents> most =
        most_extents_in_block(dag_, kernel, tiling, funcs, known);
    for (size_t i = 0; i < funcs.size(); ++i) {
        if (extents[i] || !most[i] || dag_.func(funcs[i]).stages.size() > 1) continue;
        const auto long_ones =
            std::count_if(most[i]->begin(), most[i]->end(), [](int64_t e) { return e > 1; });
        if (long_ones <= 3) extents[i] = most[i];
    }
    return extents;
}

// The same with other tilings of the kernel, and few serial tiles.
void SearchSpace::retiling_moves_into(const Kernel &kernel, size_t index, FuncId func,
                                      std::vector<Move> &moves) const {
    const std::vector<const Band *> bands = consumer_bands(dag_, kernel, func);
    const auto add = [&](Move::Kind kind, const Tiling &tiling) -> Move & {
        Move &move = moves.emplace_back(make_move(kind, func));
        move.kernel = index;
        move.tiling = &tiling;
        return move;
    };
    const std::vector<Tiling> &tilings = tilings_[kernel.stage.index()];
    const size_t stride = (tilings.size() + kMaxRetilings - 1) / kMaxRetilings;
    for (size_t i = stride / 2; i < tilings.size(); i += std::max<size_t>(1, stride)) {
        const Tiling &tiling = tilings[i];
        if (tiling == kernel.tiling) continue;
        add(Move::Kind::compute_in_block, tiling).member_tile = MemberTile::one_point;
        if (std::any_of(tiling.begin(), tiling.end(),
                        [](const LoopTile &tile) { return tile.serial > 1; })) {
            add(Move::Kind::compute_in_block, tiling).member_tile = MemberTile::like_root;
        }
        if (bands.size() != 1) continue;
        add(Move::Kind::compute_in_thread, tiling).site = bands[0]->stage;
    }
}

// What is computed in a kernel, consumers first, each as the move that put it there.
std::vector<Move> SearchSpace::members_of(const Kernel &kernel) const {
    std::vector<Move> members;
    for (const Band *threads : thread_bands(kernel)) {
        for (const BandPtr &inner : threads->body) {
            const Stage &stage = dag_.stage(inner->stage);
            if (inner->stage == kernel.stage || stage.index > 0) continue;
            Move &member = members.emplace_back(make_move(inner->stage == threads->stage
                                                              ? Move::Kind::compute_in_block
                                                              : Move::Kind::compute_in_thread,
                                                          stage.func));
            member.site = threads->stage;
            member.serial = inner->trips;
        }
    }
    std::sort(members.begin(), members.end(),
              [](const Move &a, const Move &b) { return a.func > b.func; });
    return members;
}

// The kernel with another tiling of its root stage and everything in it computed as before, over
// the regions that this leads to; `added` as well, unless it is null.
std::variant<KernelPtr, Rule> SearchSpace::retiled(const Kernel &kernel, const Tiling &tiling,
                                                   const Move *added) const {
    std::vector<Move> members = members_of(kernel);
    if (added != nullptr) members.push_back(*added);
    std::vector<FuncId> in_block;
    for (const Move &member : members) {
        if (member.kind == Move::Kind::compute_in_block) in_block.push_back(member.func);
    }
    std::vector<ConstantExtents> extents;
    if (!in_block.empty()) extents = block_extents(kernel, tiling, in_block);
    KernelPtr changed = make_kernel(dag_, kernel.stage, tiling);
    for (FuncId func : kernel.inlined) changed = inline_func(changed, func);
    auto next = extents.begin();
    for (Move &member : members) {
        if (member.kind == Move::Kind::compute_in_block) {
            if (!*next) return Rule::dynamic_allocation;
            member.extents = std::move(**next++);
        } else {
            const Band *site = find_site(*changed, member.site);
            if (site == nullptr || site->axes.empty()) return Rule::halide_nesting;
            ConstantExtents own = extents_in_thread(dag_, *changed, *site, member.func);
            if (!own) return Rule::dynamic_allocation;
            member.extents = std::move(*own);
        }
        auto with_member = fused(changed, std::move(member));
        if (std::holds_alternative<Rule>(with_member)) return with_member;
        changed = std::get<KernelPtr>(std::move(with_member));
    }
    return changed;
}

// The kernel with a Func computed in it, over the move's extents.
std::variant<KernelPtr, Rule> SearchSpace::fused(const KernelPtr &kernel, Move move) const {
    if (move.member_tile == MemberTile::one_point) move.serial.assign(move.extents.size(), 1);
    if (move.member_tile == MemberTile::like_root) {
        move.serial = serial_like_root(dag_, *kernel, move.extents);
    }
    if (const std::optional<Rule> rule = rejects_fusion(*kernel, move)) return *rule;
    return move.kind == Move::Kind::compute_in_thread
               ? compute_in_thread(dag_, kernel, move.site, move.func, move.extents)
               : compute_in_block(dag_, kernel, move.func, move.extents, move.serial);
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
            return fused_successor(state, move);
        case Move::Kind::tile_root:
            break;
    }
    return tiled_successor(state, move);
}

std::variant<Successor, Rule> SearchSpace::tiled_successor(const State &state,
                                                           const Move &move) const {
    auto kernel = retiled(*state.nest.kernels[move.kernel], *move.tiling, nullptr);
    if (const Rule *rule = std::get_if<Rule>(&kernel)) return *rule;
    return check_limits(
        {move.func, Placement::root, {{move.kernel, std::get<KernelPtr>(std::move(kernel))}}});
}

std::variant<Successor, Rule> SearchSpace::inline_successor(const State &state, FuncId func) const {
    Successor successor{func, Placement::inlined, {}};
    for (size_t k : consumer_kernels(dag_, state, func)) {
        successor.changes.push_back(
            {k, with_forced_inlines(inline_func(state.nest.kernels[k], func))});
    }
    return check_limits(std::move(successor));
}

// Calls of inlined Funcs are all written out, once for every point of an unrolled tile. Copies cost
// nothing, and what is always inlined is no reason against a tile of one point.
bool SearchSpace::too_much_code(const Kernel &kernel) const {
    std::vector<double> calls(kernel.inlined.size());  // of each inlined Func, at the band's point
    const auto over_limit = [&](const Band &inner) {
        std::fill(calls.begin(), calls.end(), 0.0);
        const auto add = [&](StageId via, double evaluations) {
            for (const Load &load : dag_.stage(via).loads) {
                const auto at =
                    std::lower_bound(kernel.inlined.begin(), kernel.inlined.end(), load.producer);
                if (at == kernel.inlined.end() || *at != load.producer) continue;
                if (load.producer == dag_.stage(via).func) continue;
                calls[static_cast<size_t>(at - kernel.inlined.begin())] += evaluations * load.count;
            }
        };
        add(inner.stage, 1);
        double all = 0, chosen = 0;
        for (size_t i = kernel.inlined.size(); i-- > 0;) {
            const FuncId func = kernel.inlined[i];
            const double here = calls[i];
            if (here == 0) continue;
            add(dag_.func(func).stages[0], here);
            if (copies_[func.index()]) continue;
            all += here;
            if (!forced_inline_[func.index()]) chosen += here;
        }
        const double points = unrolled_points(dag_, inner);
        return chosen > kMaxInlinedCalls || (points > 1 && points * all > kMaxUnrolledCalls);
    };
    for (const Band *threads : thread_bands(kernel)) {
        for (const BandPtr &inner : threads->body) {
            if (over_limit(*inner)) return true;
        }
    }
    return false;
}

Successor SearchSpace::root_successor(const State &state, FuncId id) const {
    const Func &func = dag_.func(id);
    Successor successor{id, Placement::root, {}};
    for (StageId stage : func.stages) {
        KernelPtr kernel =
            func.on_host()
                ? make_host_kernel(dag_, stage)
                : with_forced_inlines(make_kernel(dag_, stage, default_tiling(dag_, gpu_, stage)));
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

std::variant<Successor, Rule> SearchSpace::fused_successor(const State &state,
                                                           const Move &move) const {
    const KernelPtr &before = state.nest.kernels[move.kernel];
    auto changed =
        move.tiling == nullptr ? fused(before, move) : retiled(*before, *move.tiling, &move);
    if (const Rule *rule = std::get_if<Rule>(&changed)) return *rule;
    KernelPtr kernel = with_forced_inlines(std::get<KernelPtr>(std::move(changed)));
    return check_limits({move.func, Placement::fused, {{move.kernel, std::move(kernel)}}});
}

std::variant<Successor, Rule> SearchSpace::check_limits(Successor successor) const {
    for (const KernelChange &change : successor.changes) {
        const Kernel &kernel = *change.kernel;
        if (rules_.has(Rule::code_size) && too_much_code(kernel)) return Rule::code_size;
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

Move SearchSpace::plain_move(const Step &step) const {
    if (step.kind == Step::Kind::tile) return {};
    return make_move(
        may_be_at_root(step.func) ? Move::Kind::compute_root : Move::Kind::compute_inline,
        step.func);
}

}  // namespace autoschedule_gpu
