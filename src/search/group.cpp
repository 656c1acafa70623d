#include "search/group.h"

#include <algorithm>

namespace autoschedule_gpu {

namespace {

// The state after a legal move, its costs left open.
std::optional<State> after(const SearchSpace &space, State state, const Move &move) {
    auto applied = space.apply(state, move);
    const Successor *successor = std::get_if<Successor>(&applied);
    if (successor == nullptr) return std::nullopt;
    const std::vector<double> open(successor->changes.size(), 0.0);
    return materialise(space.dag(), std::move(state), *successor, open);
}

}  // namespace

GroupBuilder::GroupBuilder(const SearchSpace &space)
    : space_(space),
      tiles_(space.dag(), space.gpu(), space.rules()),
      serials_(space.dag().funcs.size()),
      initial_(space.initial()),
      plain_(space.dag().funcs.size(), MemberSite::inlined),
      decided_(space.dag().funcs.size(), false) {
    for (const Step &step : space.steps()) {
        if (step.kind != Step::Kind::place) continue;
        decided_[step.func.index()] = true;
        serials_[step.func.index()] = serial_of_member(step.func);
        if (space.plain_move(step).kind == Move::Kind::compute_root) {
            plain_[step.func.index()] = MemberSite::none;
        }
    }
}

bool GroupBuilder::is_decided(FuncId func) const {
    return decided_[func.index()];
}

// The Funcs to be placed in the group, readers first: reached from the output through what is
// computed in it.
std::vector<FuncId> GroupBuilder::inside(FuncId output, const MemberSites &sites) const {
    const Dag &dag = space_.dag();
    std::vector<FuncId> work{output}, result;
    for (size_t next = 0; next < work.size(); ++next) {
        for (StageId stage : dag.func(work[next]).stages) {
            for (EdgeId edge : dag.stage(stage).edges) {
                const FuncId producer = dag.edge(edge).producer;
                if (dag.func(producer).is_input()) continue;
                if (sites[producer.index()] == MemberSite::none) continue;
                if (std::find(work.begin(), work.end(), producer) != work.end()) continue;
                work.push_back(producer);
                if (is_decided(producer)) result.push_back(producer);
            }
        }
    }
    std::sort(result.begin(), result.end(), std::greater<>());
    return result;
}

// Points per thread of a member in a block, by dimension: one, but all of a brief loop, which is no
// thread (K's channels in figure 3).
std::vector<int64_t> GroupBuilder::serial_of_member(FuncId id) const {
    const Func &func = space_.dag().func(id);
    const StageId stage = func.stages[0];
    const Tiling tiling = tiles_.tiling(stage, tiles_.point(stage));
    std::vector<int64_t> serial(func.dims.size(), 1);
    for (size_t i = 0; i < tiling.size(); ++i) {
        const int dim = space_.dag().stage(stage).loops[i].dim;
        if (dim >= 0) serial[static_cast<size_t>(dim)] = tiling[i].serial;
    }
    return serial;
}

std::optional<Move> GroupBuilder::move_into(const State &state, FuncId func,
                                            MemberSite site) const {
    if (site == MemberSite::inlined) return make_move(Move::Kind::compute_inline, func);
    const std::vector<size_t> consumers = consumer_kernels(space_.dag(), state, func);
    if (consumers.size() != 1) return std::nullopt;
    const Kernel &kernel = *state.nest.kernels[consumers[0]];
    Move move = make_move(Move::Kind::compute_in_block, func);
    move.kernel = consumers[0];
    move.tiling = &kernel.tiling;
    move.serial = serials_[func.index()];
    const std::vector<const Band *> bands = consumer_bands(space_.dag(), kernel, func);
    const StageId around = common_loop(bands);
    if (site == MemberSite::block) {
        move.loop = around;
        return move;
    }
    if (site == MemberSite::loop) {
        move.loop = update_with_loop(space_.dag(), func);
        if (around.valid() || !move.loop.valid()) return std::nullopt;  // none within another
        return move;
    }
    if (bands.size() != 1) return std::nullopt;
    move.kind = Move::Kind::compute_in_thread;
    move.site = bands[0]->stage;
    return move;
}

std::optional<State> GroupBuilder::build(FuncId output, const std::vector<GroupTile> &tiles,
                                         const MemberSites &sites) const {
    const Dag &dag = space_.dag();
    std::optional<State> state =
        after(space_, initial_, make_move(Move::Kind::compute_root, output));
    const std::vector<StageId> &stages = dag.func(output).stages;
    for (size_t i = 0; state && i < stages.size(); ++i) {
        if (state->nest.kernels[i]->on_host) continue;
        const Tiling tiling = tiles_.tiling(stages[i], tiles[i]);
        Move move = make_move(Move::Kind::tile_root, output);
        move.kernel = i;
        move.tiling = &tiling;
        state = after(space_, *std::move(state), move);
    }
    for (FuncId func : inside(output, sites)) {
        if (!state) break;
        if (consumer_kernels(dag, *state, func).empty()) continue;
        // Nothing is computed inside what runs on the host.
        if (dag.func(output).on_host()) return std::nullopt;
        const std::optional<Move> move = move_into(*state, func, sites[func.index()]);
        if (!move) return std::nullopt;
        state = after(space_, *std::move(state), *move);
    }
    return state;
}

}  // namespace autoschedule_gpu
