// Which decisions there are to compute a Func inside the kernel that reads it.
#include <algorithm>
#include <utility>

#include "nest/edit.h"
#include "space/space.h"

namespace autoschedule_gpu {

namespace {

// Other tilings that are tried for a kernel in which a Func is computed, twice over.
constexpr size_t kMaxRetilings = 64;

std::vector<const Tiling *> all_but(const std::vector<Tiling> &tilings, const Tiling &own) {
    std::vector<const Tiling *> result;
    for (const Tiling &tiling : tilings) {
        if (tiling != own) result.push_back(&tiling);
    }
    return result;
}

bool same_serial(const Tiling &a, const Tiling &b) {
    return std::ranges::equal(a, b, {}, &LoopTile::serial, &LoopTile::serial);
}

// At most kMaxRetilings of those that leave each thread the points that it has, with more or fewer
// threads, and as many of the others. Evenly from the whole list.
std::vector<const Tiling *> spread_out(const std::vector<const Tiling *> &tilings,
                                       const Tiling &own) {
    std::vector<const Tiling *> like_own, others, result;
    others.reserve(tilings.size());
    for (const Tiling *tiling : tilings) {
        (same_serial(*tiling, own) ? like_own : others).push_back(tiling);
    }
    for (const auto *group : {&like_own, &others}) {
        const size_t stride =
            std::max<size_t>(1, (group->size() + kMaxRetilings - 1) / kMaxRetilings);
        for (size_t i = stride / 2; i < group->size(); i += stride) result.push_back((*group)[i]);
    }
    return result;
}

// Whether something may be computed in the threads: there is a loop to name, and each thread's
// points are neighbours.
bool may_hold_more(const Band &threads) {
    return !threads.axes.empty() && threads.body.back()->level == Level::serial;
}

// Whether `func` reads something that is computed in the kernel, directly or through what is
// inlined there.
bool reads_member(const Dag &dag, const Kernel &kernel, FuncId func) {
    std::vector<FuncId> work{func};
    for (size_t next = 0; next < work.size(); ++next) {
        for (EdgeId edge : dag.stage(dag.func(work[next]).stages[0]).edges) {
            const FuncId producer = dag.edge(edge).producer;
            if (is_computed_in(dag, kernel, producer)) return true;
            if (!is_inlined(kernel, producer)) continue;
            if (std::find(work.begin(), work.end(), producer) == work.end()) {
                work.push_back(producer);
            }
        }
    }
    return false;
}

// Whether the iterations of the stage's reduction read other points of the producer each: every
// reduction loop moves along a dimension along which no other loop does. (What a stencil reads is
// better computed once for all of them.)
bool is_read_once(const Stage &stage, const Load &load) {
    const auto moves = [&](size_t d, size_t loop) {
        const Coefficient &c = load.access.at(d, loop);
        return !c.known || c.value != 0;
    };
    const auto alone = [&](size_t d, size_t loop) {
        for (size_t other = 0; other < stage.loops.size(); ++other) {
            if (moves(d, other) != (other == loop)) return false;
        }
        return true;
    };
    for (size_t loop = 0; loop < stage.loops.size(); ++loop) {
        if (stage.loops[loop].parallel) continue;
        bool apart = false;
        for (size_t d = 0; d < load.access.dims(); ++d) apart = apart || alone(d, loop);
        if (!apart) return false;
    }
    return true;
}

}  // namespace

void SearchSpace::fused_moves(const State &state, FuncId func, const std::vector<size_t> &consumers,
                              Retile retile, std::vector<Move> &moves, RuleCounts &rejected) const {
    if (consumers.size() != 1) return count(rejected, Rule::halide_nesting);
    const KernelPtr &kernel = state.nest.kernels[consumers[0]];
    if (!any_split(dag_.stage(kernel->stage), kernel->tiling)) {
        return count(rejected, Rule::halide_nesting);  // no block loop to compute at
    }
    const Kernel reader = without_inlined(*kernel, func);
    const StageId loop = loop_for(state, reader, func);
    moves_into(reader, consumers[0], func, loop, moves, rejected);
    if (retile == Retile::yes) retiling_moves_into(reader, consumers[0], func, loop, moves);
}

// Whether something that is not decided yet may come to be computed in the loop of an update, of
// which each iteration needs other points.
bool SearchSpace::may_fill_loop(const State &state, StageId update) const {
    std::vector<FuncId> work;
    for (const Load &load : dag_.stage(update).loads) {
        if (is_read_once(dag_.stage(update), load)) work.push_back(load.producer);
    }
    for (size_t next = 0; next < work.size(); ++next) {
        const FuncId func = work[next];
        const Placement placement = state.nest.placement(func);
        if (placement == Placement::undecided && !copies_[func.index()]) return true;
        if (placement != Placement::inlined) continue;
        for (EdgeId edge : dag_.stage(dag_.func(func).stages[0]).edges) {
            const FuncId producer = dag_.edge(edge).producer;
            if (std::find(work.begin(), work.end(), producer) == work.end()) {
                work.push_back(producer);
            }
        }
    }
    return false;
}

// The loop in which all is that reads `func` in the kernel. Else the Func's own update, if it may
// have a loop that comes to be filled. Else none.
StageId SearchSpace::loop_for(const State &state, const Kernel &kernel, FuncId func) const {
    const StageId around = common_loop(consumer_bands(dag_, kernel, func));
    if (around.valid()) return around;
    for (StageId stage : dag_.func(func).stages) {
        if (may_have_loop(dag_, stage) && may_fill_loop(state, stage)) return stage;
    }
    return {};
}

// Moves that compute `func` in the kernel at `index` as it is tiled.
void SearchSpace::moves_into(const Kernel &kernel, size_t index, FuncId func, StageId loop,
                             std::vector<Move> &moves, RuleCounts &rejected) const {
    block_moves_into(kernel, index, func, {}, moves, rejected);
    if (loop.valid()) block_moves_into(kernel, index, func, loop, moves, rejected);
    const std::vector<const Band *> bands = consumer_bands(dag_, kernel, func);
    if (bands.size() != 1 || !may_hold_more(*bands[0]) || uses_atomics(dag_, kernel, *bands[0])) {
        return count(rejected, Rule::halide_nesting);
    }
    const SiteExtents::Answer in_thread = site_extents_->in_thread(kernel, *bands[0], func);
    if (in_thread->known == SiteExtents::Known::no)
        return count(rejected, Rule::dynamic_allocation);
    Move &move = moves.emplace_back(make_move(Move::Kind::compute_in_thread, func));
    move.kernel = index;
    move.extents = in_thread->points;
    move.site = bands[0]->stage;
}

// Of these, the ones that compute it in the block: with that loop (Move::loop) or, if it is
// invalid, with none.
void SearchSpace::block_moves_into(const Kernel &kernel, size_t index, FuncId func, StageId loop,
                                   std::vector<Move> &moves, RuleCounts &rejected) const {
    using Known = SiteExtents::Known;
    const StageId around = loop_around(dag_, func, loop);
    const SiteExtents::Answer extents = site_extents_->in_block(kernel, func, around);
    if (extents->known == Known::no) {
        count(rejected, Rule::dynamic_allocation);
        return;
    }
    const auto add = [&]() -> Move & {
        Move &move = moves.emplace_back(make_move(Move::Kind::compute_in_block, func));
        move.kernel = index;
        move.loop = loop;
        move.extents = extents->points;
        return move;
    };
    for (auto &serial : block_level_serials(gpu_, rules_, extents->points, rejected)) {
        add().serial = std::move(serial);
    }
    if (copies_[func.index()] && extents->known == Known::constant) {
        add().member_tile = MemberTile::dealt;
    }
}

// The same with other tilings of the kernel, and few serial tiles.
void SearchSpace::retiling_moves_into(const Kernel &kernel, size_t index, FuncId func, StageId loop,
                                      std::vector<Move> &moves) const {
    const auto add = [&](Move::Kind kind, const Tiling &tiling) -> Move & {
        Move &move = moves.emplace_back(make_move(kind, func));
        move.kernel = index;
        move.tiling = &tiling;
        return move;
    };
    const auto add_in_block = [&](const Tiling &tiling, MemberTile tile) {
        add(Move::Kind::compute_in_block, tiling).member_tile = tile;
        if (!loop.valid()) return;
        Move &looped = add(Move::Kind::compute_in_block, tiling);
        looped.member_tile = tile;
        looped.loop = loop;
    };
    const std::vector<const Tiling *> others = all_but(tilings(kernel.stage), kernel.tiling);
    std::vector<const Tiling *> for_thread = spread_out(others, kernel.tiling);
    const std::vector<const Tiling *> fitting = fitting_block(kernel, func, others);
    const std::vector<const Tiling *> for_block =
        fitting.size() == others.size() ? for_thread : spread_out(fitting, kernel.tiling);
    for (const Tiling *tiling : for_block) {
        add_in_block(*tiling, MemberTile::one_point);
        if (std::any_of(tiling->begin(), tiling->end(),
                        [](const LoopTile &tile) { return tile.serial > 1; })) {
            add_in_block(*tiling, MemberTile::like_root);
        }
        if (copies_[func.index()]) add_in_block(*tiling, MemberTile::dealt);
    }
    const std::vector<const Band *> bands = consumer_bands(dag_, kernel, func);
    if (bands.size() != 1 || bands[0]->body.back()->level == Level::rounds) return;
    for (const Tiling &tiling : (*whole_tilings_)[kernel.stage.index()])
        for_thread.push_back(&tiling);
    for (const Tiling *tiling : for_thread) {
        add(Move::Kind::compute_in_thread, *tiling).site = bands[0]->stage;
    }
}

// Those of the kernel's tilings with which a block's need of `func` may be known when Halide
// compiles, and that of all that is computed there already: for that, some loops may have to be
// whole in the block. Loops that need not be are found one after the other.
std::vector<const Tiling *> SearchSpace::fitting_block(const Kernel &kernel, FuncId func,
                                                       std::vector<const Tiling *> tilings) const {
    const Stage &root = dag_.stage(kernel.stage);
    std::vector<Member> members = members_of(kernel);
    members.push_back({func, Move::Kind::compute_in_block, {}, {}, MemberTile::one_point, {}});
    Tiling least(root.loops.size());
    const auto is_known = [&] { return !extents_in_block(kernel, least, members).empty(); };
    const auto constant_extent = [&](const Loop &loop) {
        const Func &of = dag_.func(root.func);
        return loop.parallel && of.dims[loop.dim].constant ? of.dims[loop.dim].estimate.extent()
                                                           : int64_t{1};
    };
    if (is_known()) return tilings;
    for (size_t i = 0; i < least.size(); ++i) least[i].serial = constant_extent(root.loops[i]);
    if (!is_known()) return {};
    for (LoopTile &tile : least) {
        const int64_t whole = std::exchange(tile.serial, 1);
        if (whole > 1 && !is_known()) tile.serial = whole;
    }
    std::erase_if(tilings, [&](const Tiling *tiling) {
        for (size_t i = 0; i < least.size(); ++i) {
            if (least[i].serial > 1 && (*tiling)[i].points() < least[i].serial) return true;
        }
        return false;
    });
    return tilings;
}

std::variant<Move, Rule> SearchSpace::move_of(const State &state, const Member &member) const {
    const std::vector<size_t> consumers = consumer_kernels(dag_, state, member.func);
    if (consumers.size() != 1) return Rule::halide_nesting;
    const Kernel &whole = *state.nest.kernels[consumers[0]];
    if (whole.on_host || dag_.func(member.func).on_host()) return Rule::host_boundary;
    if (!any_split(dag_.stage(whole.stage), whole.tiling)) return Rule::halide_nesting;
    const Kernel kernel = without_inlined(whole, member.func);
    Move move = make_move(member.kind, member.func);
    move.kernel = consumers[0];
    SiteExtents::Answer extents;
    if (member.kind == Move::Kind::compute_in_thread) {
        const Band *site = find_threads(kernel, member.site);
        if (site == nullptr || !may_hold_more(*site) || uses_atomics(dag_, kernel, *site)) {
            return Rule::halide_nesting;
        }
        move.site = member.site;
        extents = site_extents_->in_thread(kernel, *site, member.func);
    } else {
        move.loop = member.loop;
        move.member_tile = member.tile;
        move.serial.assign(member.serial.begin(), member.serial.end());
        const StageId around = loop_around(dag_, member.func, member.loop);
        extents = site_extents_->in_block(kernel, member.func, around);
    }
    const bool dealt = move.member_tile == MemberTile::dealt;
    if (dealt && !copies_[member.func.index()]) return Rule::low_lane_use;
    using Known = SiteExtents::Known;
    if (extents->known == Known::no || (dealt && extents->known != Known::constant)) {
        return Rule::dynamic_allocation;
    }
    move.extents = extents->points;
    return move;
}

std::vector<Move> SearchSpace::staging_moves(const State &state, FuncId copy,
                                             RuleCounts &rejected) const {
    std::vector<Move> result;
    const std::vector<size_t> consumers = consumer_kernels(dag_, state, copy);
    if (consumers.empty()) return result;
    // Edits put a Func in front of all that is computed in the kernel already.
    const Kernel &kernel = *state.nest.kernels[consumers[0]];
    if (!kernel.on_host && reads_member(dag_, kernel, copy)) {
        count(rejected, Rule::halide_nesting);
        return result;
    }
    fused_moves(state, copy, consumers, Retile::yes, result, rejected);
    return result;
}

}  // namespace autoschedule_gpu
