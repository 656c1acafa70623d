#include "decisions/walk.h"

#include <algorithm>
#include <utility>

#include "space/atomics.h"
#include "space/tilings.h"

namespace autoschedule_gpu {
namespace {

std::string rejection(Rule rule) {
    return "the rule " + std::string(name(rule)) + " rejects it: " + std::string(meaning(rule));
}

int64_t size_of(const DecisionList &list, const ResolvedList::Index &decision, int64_t otherwise) {
    return decision ? std::get<int64_t>(list.decisions[*decision].value) : otherwise;
}

const std::string *text_of(const DecisionList &list, const ResolvedList::Index &decision) {
    return decision ? &std::get<std::string>(list.decisions[*decision].value) : nullptr;
}

State after_move(const Dag &dag, State state, const Successor &successor) {
    const std::vector<double> open(successor.changes.size(), 0.0);
    return materialise(dag, std::move(state), successor, open);
}

}  // namespace

Error refusal(const DecisionList &list, const RefusedStep &refused) {
    return refused.decision ? refusal(list, *refused.decision, refused.why) : Error{refused.why};
}

std::variant<State, RefusedStep> Walk::after(State state, const Step &step,
                                             const DecisionList &list) const {
    if (step.kind == Step::Kind::place) return placed(std::move(state), step.func, list);
    if (state.nest.placement(step.func) != Placement::root) return state;
    return tiled(std::move(state), step.stage, list);
}

// ---- places

std::variant<State, RefusedStep> Walk::placed(State state, FuncId func,
                                              const DecisionList &list) const {
    const ResolvedList::Index decision = resolved_.place(func);
    if (!decision) {
        return RefusedStep{std::nullopt,
                           "there is no decision where " + dag_.func(func).name + " is computed"};
    }
    const std::optional<Place> place = place_of(*text_of(list, decision));
    if (!place) return RefusedStep{decision, "there is no such place"};
    const std::variant<Move, Rule> move = move_to(state, func, *place, list);
    if (const Rule *rule = std::get_if<Rule>(&move)) return RefusedStep{decision, rejection(*rule)};
    const auto applied = space_.apply(state, std::get<Move>(move));
    if (const Rule *rule = std::get_if<Rule>(&applied)) {
        return RefusedStep{decision, rejection(*rule)};
    }
    return after_move(dag_, std::move(state), std::get<Successor>(applied));
}

std::variant<Move, Rule> Walk::move_to(const State &state, FuncId func, Place place,
                                       const DecisionList &list) const {
    if (place == Place::inlined || place == Place::root) {
        const Move::Kind kind =
            place == Place::root ? Move::Kind::compute_root : Move::Kind::compute_inline;
        RuleCounts rejected{};
        for (Move &move :
             space_.moves(state, {Step::Kind::place, func, {}}, Retile::no, rejected)) {
            if (move.kind == kind) return std::move(move);
        }
        const bool host = rejected[static_cast<size_t>(Rule::host_boundary)] > 0;
        return host ? Rule::host_boundary : Rule::halide_nesting;
    }
    if (space_.freedom() != Freedom::full) return Rule::halide_nesting;
    return move_into(state, func, place, list);
}

std::variant<Move, Rule> Walk::move_into(const State &state, FuncId func, Place place,
                                         const DecisionList &list) const {
    const std::vector<size_t> consumers = consumer_kernels(dag_, state, func);
    if (consumers.size() != 1 || dag_.func(func).is_output()) return Rule::halide_nesting;
    const std::vector<const Band *> bands =
        consumer_bands(dag_, *state.nest.kernels[consumers[0]], func);
    SearchSpace::Member member{func, Move::Kind::compute_in_block, {}, {}, MemberTile::given, {}};
    if (place == Place::threads) {
        if (bands.size() != 1) return Rule::halide_nesting;
        member.kind = Move::Kind::compute_in_thread;
        member.site = bands[0]->stage;
        return space_.move_of(state, member);
    }
    const StageId around = common_loop(bands), own = update_with_loop(dag_, func);
    if (place == Place::loop) member.loop = around;
    if (place == Place::block_loop && !around.valid()) member.loop = own;
    if (place != Place::block && !member.loop.valid()) return Rule::halide_nesting;
    const std::string *tile = text_of(list, resolved_.member_tile(func));
    if (tile != nullptr && *tile == "dealt") member.tile = MemberTile::dealt;
    std::vector<int64_t> serial(dag_.func(func).dims.size(), 1);
    const StageId pure = dag_.func(func).stages[0];
    for (size_t l = 0; l < dag_.stage(pure).loops.size(); ++l) {
        const auto dim = static_cast<size_t>(dag_.stage(pure).loops[l].dim);
        serial[dim] = size_of(list, resolved_.loop(pure, l).serial, 1);
    }
    member.serial = serial;
    return space_.move_of(state, member);
}

// ---- tilings of stages at root

std::variant<State, RefusedStep> Walk::tiled(State state, StageId stage,
                                             const DecisionList &list) const {
    const auto index = static_cast<size_t>(state.home[stage.index()]);
    const Kernel &kernel = *state.nest.kernels[index];
    if (kernel.on_host) return state;
    const std::variant<Tiling, RefusedStep> tiling = this->tiling(stage, kernel.tiling, list);
    if (const auto *refused = std::get_if<RefusedStep>(&tiling)) return *refused;
    Move move = make_move(Move::Kind::tile_root, dag_.stage(stage).func);
    move.kernel = index;
    move.tiling = &std::get<Tiling>(tiling);
    const auto applied = space_.apply(state, move);
    if (const Rule *rule = std::get_if<Rule>(&applied)) {
        return RefusedStep{resolved_.first_of(stage), rejection(*rule)};
    }
    return after_move(dag_, std::move(state), std::get<Successor>(applied));
}

std::variant<Tiling, RefusedStep> Walk::tiling(StageId stage, const Tiling &plain,
                                               const DecisionList &list) const {
    Tiling tiling = plain;
    int64_t points = 1;
    int axes = 0;
    for (size_t l = 0; l < tiling.size(); ++l) {
        const std::variant<LoopTile, RefusedStep> tile = this->tile(stage, l, plain[l], list);
        if (const auto *refused = std::get_if<RefusedStep>(&tile)) return *refused;
        tiling[l] = std::get<LoopTile>(tile);
        if (!is_split(dag_.stage(stage).loops[l], tiling[l])) continue;
        points *= tiling[l].serial;
        axes += tiling[l].threads > 1;
        const ResolvedList::OfLoop &decided = resolved_.loop(stage, l);
        if (axes > 3) {
            return RefusedStep{decided.threads, "blocks have threads along three loops at most"};
        }
        if (points > kMaxSerialPoints && space_.rules().has(Rule::serial_too_large)) {
            return RefusedStep{decided.serial, rejection(Rule::serial_too_large)};
        }
    }
    return tiling;
}

std::variant<LoopTile, RefusedStep> Walk::tile(StageId id, size_t loop, LoopTile plain,
                                               const DecisionList &list) const {
    const Stage &stage = dag_.stage(id);
    const auto &[reduction, serial, threads] = resolved_.loop(id, loop);
    LoopTile tile = plain;
    if (!stage.loops[loop].parallel) {
        const std::string *shared = text_of(list, reduction);
        tile.atomic = shared != nullptr && *shared == "atomic";
        if (!tile.atomic) return LoopTile{};
        RuleCounts unused{};
        if (!may_be_shared(stage.loops[loop]) ||
            !allows_atomics_at_root(dag_, space_.gpu(), space_.rules(), id, unused)) {
            return RefusedStep{reduction, "blocks and threads can't share this reduction"};
        }
        tile.threads = space_.gpu().warp_size;
    }
    const int64_t extent = loop_extents(dag_, id)[loop];
    tile.serial = size_of(list, serial, 1);
    tile.threads =
        size_of(list, threads, std::min(tile.threads, std::max<int64_t>(1, extent / tile.serial)));
    const bool by_threads = threads && (!serial || tile.threads > tile.serial);
    const ResolvedList::Index larger = by_threads ? threads : serial;
    if (tile.points() > extent) {
        return RefusedStep{larger, "with it the loop's tile has " + std::to_string(tile.points()) +
                                       " points, but the loop " + std::to_string(extent)};
    }
    if (stage.predicate_reads && tile.points() > 1) {
        return RefusedStep{larger, "its condition reads data, so the loop must stay whole"};
    }
    return tile;
}

// ---- unrolled loops

std::variant<State, RefusedStep> Walk::unrolled(State state, const DecisionList &list) const {
    for (size_t s = 0; s < dag_.stages.size(); ++s) {
        const ResolvedList::Index decision = resolved_.unroll(StageId(s));
        if (!decision) continue;
        const std::optional<Unroll> unroll = unroll_of(*text_of(list, decision));
        if (!unroll) return RefusedStep{decision, "expected none, tile or all"};
        if (state.home[s] < 0) continue;
        const auto home = static_cast<size_t>(state.home[s]);
        const KernelPtr &kernel = state.nest.kernels[home];
        if (kernel->on_host) continue;
        const FuncId func = dag_.stages[s].func;
        const Successor successor{func,
                                  state.nest.placement(func),
                                  {{home, unroll_stage(dag_, kernel, StageId(s), *unroll)}}};
        state = after_move(dag_, std::move(state), successor);
    }
    return state;
}

}  // namespace autoschedule_gpu
