#include "scheduler/search/group.h"

#include <algorithm>

namespace autoschedule_gpu {

namespace {

// The state after a legal move, its costs left open.
std::optional<State> after(const SearchSpace &space, State state, const Decision &move) {
    auto applied = space.apply(state, move);
    const Successor *successor = std::get_if<Successor>(&applied);
    if (successor == nullptr) return std::nullopt;
    return with_open_costs(space.dag(), std::move(state), *successor);
}

}  // namespace

GroupBuilder::GroupBuilder(const SearchSpace &space)
    : space_(space),
      tiles_(space.dag(), space.gpu(), space.rules()),
      serials_(space.dag().funcs.size()),
      initial_(space.initial()),
      plain_(space.dag().funcs.size(), Place::inlined),
      decided_(space.dag().funcs.size(), false) {
    for (const Step &step : space.steps()) {
        if (step.kind != Step::Kind::place) continue;
        decided_[step.func.index()] = true;
        serials_[step.func.index()] = serial_of_member(step.func);
        if (space.plain_decision(step).place == Place::root) {
            plain_[step.func.index()] = Place::root;
        }
    }
}

bool GroupBuilder::is_decided(FuncId func) const {
    return decided_[func.index()];
}

// The Funcs to be placed in the group, readers first: reached from the output through what is
// computed in it.
std::vector<FuncId> GroupBuilder::inside(FuncId output, const Places &sites) const {
    const Dag &dag = space_.dag();
    std::vector<FuncId> work{output}, result;
    for (size_t next = 0; next < work.size(); ++next) {
        for (StageId stage : dag.func(work[next]).stages) {
            for (EdgeId edge : dag.stage(stage).edges) {
                const FuncId producer = dag.edge(edge).producer;
                if (dag.func(producer).is_input()) continue;
                if (sites[producer.index()] == Place::root) continue;
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

std::optional<Decision> GroupBuilder::move_into(const State &state, FuncId func, Place site) const {
    if (site == Place::inlined) return decide_place(func, site);
    const std::vector<size_t> consumers = consumer_kernels(space_.dag(), state, func);
    if (consumers.size() != 1) return std::nullopt;
    const Kernel &kernel = *state.nest.kernels[consumers[0]];
    Decision move = decide_place(func, site);
    move.kernel = consumers[0];
    move.tiling = &kernel.tiling;
    move.serial = serials_[func.index()];
    const std::vector<const Band *> bands = consumer_bands(space_.dag(), kernel, func);
    const BlockLoop around = common_loop(bands);
    if (site == Place::block) {
        move.loop = around;
        move.place = place_in_block(space_.dag(), func, around);
        return move;
    }
    if (site == Place::block_loop || site == Place::block_outer_loop) {
        move.loop = own_loop(space_.dag(), func, site);
        if (around.valid() || !move.loop.valid()) return std::nullopt;  // none within another
        return move;
    }
    if (bands.size() != 1) return std::nullopt;
    move.site = bands[0]->stage;
    return move;
}

std::optional<State> GroupBuilder::build(FuncId output, const std::vector<GroupTile> &tiles,
                                         const Places &sites) const {
    std::optional<State> state = after(space_, initial_, decide_place(output, Place::root));
    const std::vector<StageId> &stages = space_.dag().func(output).stages;
    for (size_t i = 0; state && i < stages.size(); ++i) {
        if (state->nest.kernels[i]->on_host) continue;
        const Tiling tiling = tiles_.tiling(stages[i], tiles[i]);
        state = after(space_, *std::move(state), decide_tiling(output, i, tiling));
    }
    return state ? with_inside(output, *std::move(state), sites) : std::nullopt;
}

std::optional<State> GroupBuilder::build_plainly(FuncId output) const {
    std::optional<State> state = after(space_, initial_, decide_place(output, Place::root));
    return state ? with_inside(output, *std::move(state), plain_) : std::nullopt;
}

// The state of a group whose output is tiled, with all else that `sites` computes there.
std::optional<State> GroupBuilder::with_inside(FuncId output, State tiled,
                                               const Places &sites) const {
    const Dag &dag = space_.dag();
    std::optional<State> state = std::move(tiled);
    for (FuncId func : inside(output, sites)) {
        if (!state) break;
        if (consumer_kernels(dag, *state, func).empty()) continue;
        // Nothing is computed inside what runs on the host, but copies that are not worth a kernel.
        if (dag.func(output).on_host()) {
            if (space_.may_be_at_root(func)) return std::nullopt;
            continue;
        }
        const std::optional<Decision> move = move_into(*state, func, sites[func.index()]);
        if (!move) return std::nullopt;
        state = after(space_, *std::move(state), *move);
    }
    return state;
}

}  // namespace autoschedule_gpu
