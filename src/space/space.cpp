#include "space/space.h"

#include <algorithm>

#include "nest/edit.h"
#include "space/wrappers.h"

namespace autoschedule_gpu {

namespace {

// Of a Func that many read point by point: no more, and it is computed by each of them.
constexpr double kCheapOps = 12;

}  // namespace

Move make_move(Move::Kind kind, FuncId func) {
    Move move;
    move.kind = kind;
    move.func = func;
    return move;
}

SearchSpace::SearchSpace(const Dag &dag, const GpuModel &gpu, const RuleSet &rules, Freedom freedom)
    : dag_(dag),
      gpu_(gpu),
      rules_(rules),
      freedom_(freedom),
      copies_(dag.funcs.size(), false),
      forced_inline_(dag.funcs.size(), false),
      site_extents_(std::make_shared<SiteExtents>(dag, gpu.runtime_threads != 0)) {
    Tilings tilings(dag.stages.size()), whole(dag.stages.size());
    for (size_t i = 0; i < copies_.size(); ++i) copies_[i] = is_copy(dag, FuncId(i));
    for (size_t i = dag.funcs.size(); i-- > 0;) {
        const FuncId func(i);
        if (dag.funcs[i].is_input()) continue;
        forced_inline_[i] = always_inlined(func);
        if (forced_inline_[i]) continue;
        steps_.push_back({Step::Kind::place, func, StageId()});
        if (dag.funcs[i].on_host() || !may_be_at_root(func)) continue;
        for (StageId stage : dag.funcs[i].stages) {
            tilings[stage.index()] = root_tilings(dag, gpu, rules, stage, static_rejections_);
            if (freedom == Freedom::full) {
                whole[stage.index()] = whole_loop_tilings(dag, gpu, stage);
            }
            steps_.push_back({Step::Kind::tile, func, stage});
        }
    }
    tilings_ = std::make_shared<const Tilings>(std::move(tilings));
    whole_tilings_ = std::make_shared<const Tilings>(std::move(whole));
}

SearchSpace SearchSpace::with_steps_of(std::span<const FuncId> wrappers) const {
    SearchSpace space = *this;
    for (FuncId wrapper : wrappers) {
        if (!space.forced_inline_[wrapper.index()]) continue;
        space.forced_inline_[wrapper.index()] = false;
        space.steps_.push_back({Step::Kind::place, wrapper, StageId()});
    }
    std::stable_sort(space.steps_.begin(), space.steps_.end(),
                     [](const Step &a, const Step &b) { return a.func > b.func; });
    return space;
}

bool SearchSpace::always_inlined(FuncId id) const {
    const Func &func = dag_.func(id);
    const std::vector<EdgeId> &edges = dag_.consumers[id.index()];
    if (func.must_inline || func.reader.valid()) return true;
    if (freedom_ == Freedom::root_only) return func.wraps.valid();
    if (!func.can_inline || func.on_host() || func.is_output() || edges.empty()) return false;
    bool pointwise = true, read_by_copies = true;
    for (EdgeId edge : edges) {
        const FuncId consumer = dag_.stage(dag_.edge(edge).consumer).func;
        if (dag_.func(consumer).on_host()) return false;
        pointwise = pointwise && dag_.edge(edge).pointwise && !dag_.func(consumer).wraps.valid();
        read_by_copies = read_by_copies && copies_[consumer.index()];
    }
    if (copies_[id.index()]) return pointwise || read_by_copies || freedom_ == Freedom::no_fusion;
    const double ops = dag_.stage(func.stages[0]).ops.total();
    return pointwise && (edges.size() == 1 || ops <= kCheapOps);
}

bool SearchSpace::may_be_at_root(FuncId id) const {
    if (dag_.func(id).reader.valid()) return false;
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

void SearchSpace::list_moves(const State &state, const Step &step, Retile retile,
                             std::vector<Move> &moves, RuleCounts &rejected) const {
    if (step.kind == Step::Kind::tile) {
        if (state.nest.placement(step.func) != Placement::root) {
            moves.push_back({});
            return;
        }
        const size_t kernel = static_cast<size_t>(state.home[step.stage.index()]);
        moves.reserve(tilings(step.stage).size());
        for (const Tiling &tiling : tilings(step.stage)) {
            Move move = make_move(Move::Kind::tile_root, step.func);
            move.kernel = kernel;
            move.tiling = &tiling;
            moves.push_back(std::move(move));
        }
        return;
    }
    const Func &func = dag_.func(step.func);
    const std::vector<size_t> consumers = consumer_kernels(dag_, state, step.func);
    const bool host =
        func.on_host() || std::any_of(consumers.begin(), consumers.end(),
                                      [&](size_t k) { return state.nest.kernels[k]->on_host; });
    if (!func.is_output() && !consumers.empty()) {
        if (host) {
            count(rejected, Rule::host_boundary);
        } else {
            if (func.can_inline && freedom_ != Freedom::root_only) {
                moves.push_back(make_move(Move::Kind::compute_inline, step.func));
            }
            if (freedom_ == Freedom::full) {
                fused_moves(state, step.func, consumers, retile, moves, rejected);
            }
        }
    }
    if (may_be_at_root(step.func)) {
        moves.push_back(make_move(Move::Kind::compute_root, step.func));
    }
}

State SearchSpace::adopt(const Nest &nest) const {
    State state = initial();
    state.nest.placements = nest.placements;
    for (const KernelPtr &kernel : nest.kernels) {
        const int32_t index = static_cast<int32_t>(state.nest.kernels.size());
        if (kernel->on_host) {
            state.nest.kernels.push_back(kernel);
            state.home[kernel->stage.index()] = index;
            continue;
        }
        KernelDraft draft(*kernel);
        add_forced_inlines(draft);
        state.nest.kernels.push_back(std::move(draft).finish());
        for (const BandPtr &threads : kernel->blocks->body) {
            for (const BandPtr &inner : threads->body) state.home[inner->stage.index()] = index;
        }
    }
    state.id = state.nest.hash();
    return state;
}

Move SearchSpace::plain_move(const Step &step) const {
    if (step.kind == Step::Kind::tile) return {};
    return make_move(
        may_be_at_root(step.func) ? Move::Kind::compute_root : Move::Kind::compute_inline,
        step.func);
}

}  // namespace autoschedule_gpu
