#include "search/decisions.h"

#include <algorithm>

namespace autoschedule_gpu {

Decisions::Decisions(const SearchSpace &space, const State &state) {
    const Dag &dag = space.dag();
    of_.resize(dag.funcs.size());
    tilings_.resize(dag.stages.size());
    for (const Step &step : space.steps()) {
        if (step.kind != Step::Kind::place) continue;
        const Placement placement = state.nest.placement(step.func);
        if (placement == Placement::inlined) {
            of_[step.func.index()].emplace().kind = Move::Kind::compute_inline;
        } else if (placement == Placement::root) {
            of_[step.func.index()].emplace();
        }
    }
    for (const KernelPtr &kernel : state.nest.kernels) {
        tilings_[kernel->stage.index()] = kernel->tiling;
        if (!kernel->on_host) read_members(space, *kernel);
    }
}

void Decisions::read_members(const SearchSpace &space, const Kernel &kernel) {
    for (const SearchSpace::Member &member : space.members_of(kernel)) {
        of_[member.func.index()] = {member.kind, kernel.stage,
                                    member.site, member.loop,
                                    member.tile, {member.serial.begin(), member.serial.end()}};
    }
}

std::optional<Move> Decisions::move(const SearchSpace &space, const State &state,
                                    const Step &step) const {
    if (!has(step.func)) return std::nullopt;
    const Decision &decision = *of_[step.func.index()];
    const bool at_root = state.nest.placement(step.func) == Placement::root;
    if (step.kind == Step::Kind::tile) {
        const Tiling &tiling = tilings_[step.stage.index()];
        if (!at_root || tiling.empty()) return std::nullopt;
        Move move = make_move(Move::Kind::tile_root, step.func);
        move.kernel = static_cast<size_t>(state.home[step.stage.index()]);
        move.tiling = &tiling;
        return move;
    }
    const bool fused = decision.kind == Move::Kind::compute_in_block ||
                       decision.kind == Move::Kind::compute_in_thread;
    if (fused) return fused_move(space, state, step, decision);
    return make_move(decision.kind, step.func);
}

// Of the moves that there are, the one into the same place, with the serial tile that was decided.
std::optional<Move> Decisions::fused_move(const SearchSpace &space, const State &state,
                                          const Step &step, const Decision &decision) const {
    RuleCounts ignored{};
    const bool in_block = decision.kind == Move::Kind::compute_in_block;
    for (Move &move : space.moves(state, step, Retile::no, ignored)) {
        if (move.kind != decision.kind) continue;
        if (state.nest.kernels[move.kernel]->stage != decision.kernel) continue;
        if (in_block ? move.loop != decision.loop || move.member_tile != decision.tile
                     : move.site != decision.site) {
            continue;
        }
        if (in_block && decision.tile == MemberTile::given) move.serial = decision.serial;
        return std::move(move);
    }
    return std::nullopt;
}

int Decisions::funcs() const {
    return static_cast<int>(
        std::count_if(of_.begin(), of_.end(), [](const auto &d) { return d.has_value(); }));
}

}  // namespace autoschedule_gpu
