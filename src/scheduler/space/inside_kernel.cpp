#include "scheduler/space/inside_kernel.h"

#include <algorithm>
#include <utility>

#include "scheduler/nest/edit.h"
#include "scheduler/rules/named_rules.h"
#include "scheduler/space/kernel_builder.h"
#include "scheduler/space/tilings.h"

namespace autoschedule_gpu {

namespace {

// Other tilings that are tried for a kernel in which a Func is computed, twice over.
constexpr size_t kMaxRetilings = 64;

std::vector<const Tiling *> all_but(const std::vector<Tiling> &tilings, const Tiling &own) {
    std::vector<const Tiling *> result;
    result.reserve(tilings.size());
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

// Points per thread of a Func in a block. A loop of which parameters decide how often it runs is
// not tiled: it stays whole in a thread.
std::vector<std::vector<int64_t>> serials_in_block(const SpaceFacts &facts, FuncId id,
                                                   std::vector<int64_t> extents,
                                                   RuleCounts &rejected) {
    const Func &func = facts.dag.func(id);
    for (size_t d = 0; d < extents.size(); ++d) {
        if (func.dims[d].is_set_by_parameters(extents[d])) extents[d] = 1;
    }
    return block_level_serials(facts.dag, facts.gpu, *facts.rules, id, extents, rejected);
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

// Whether a load of the update moves along the loop in a dimension along which no other loop does.
bool moves_alone(const Stage &update, const Load &load, size_t loop) {
    const auto alone = [&](size_t d) {
        for (size_t other = 0; other < update.loops.size(); ++other) {
            if (load.access.moves(d, other) != (other == loop)) return false;
        }
        return true;
    };
    for (size_t d = 0; d < load.access.dims(); ++d) {
        if (alone(d)) return true;
    }
    return false;
}

// Whether the iterations of the loop read other points of the producer each, as they do where the
// load moves alone along all that is outside. (What a stencil reads is better computed once for all
// of them.) And where loops of the reduction stay inside, for each of their iterations other points
// as well: else a thread would sum the same as with all of them outside.
bool may_be_filled_by(const Dag &dag, BlockLoop loop, const Load &load) {
    const Stage &update = dag.stage(loop.update);
    bool inside = loop.outside == Outside::all;
    for (size_t i = 0; i < update.loops.size(); ++i) {
        if (update.loops[i].parallel) continue;
        const bool outside = is_outside(dag, loop, i);
        if (outside && !moves_alone(update, load, i)) return false;
        inside = inside || (!outside && load.access.moves(i));
    }
    return inside;
}

}  // namespace

void InsideKernel::list(const State &state, FuncId func, const std::vector<size_t> &consumers,
                        Retile retile, std::vector<Decision> &out, RuleCounts &rejected) const {
    if (!dag_.func(func).may_be_in_kernel()) return rejected.count(kUserSchedule);
    if (consumers.size() != 1) return rejected.count(kHalideNesting);
    const KernelPtr &kernel = state.nest.kernels[consumers[0]];
    const Kernel reader = without_inlined(*kernel, func);
    const std::vector<BlockLoop> loops = loops_for(state, reader, func);
    list_as_tiled(reader, consumers[0], func, loops, out, rejected);
    if (retile == Retile::yes) list_retilings(reader, consumers[0], func, loops, out);
}

// True if something that is not decided yet, and of which each iteration of the loop needs other
// points, may come to be computed in it.
bool InsideKernel::may_fill_loop(const State &state, BlockLoop loop) const {
    std::vector<FuncId> work;
    for (const Load &load : dag_.stage(loop.update).loads) {
        if (may_be_filled_by(dag_, loop, load)) work.push_back(load.producer);
    }
    for (size_t next = 0; next < work.size(); ++next) {
        const FuncId func = work[next];
        const Place place = state.nest.place(func);
        if (place == Place::undecided && !facts_.is_copy(func)) return true;
        if (place != Place::inlined && place != Place::undecided) continue;
        for (EdgeId edge : dag_.stage(dag_.func(func).stages[0]).edges) {
            const FuncId producer = dag_.edge(edge).producer;
            if (std::find(work.begin(), work.end(), producer) == work.end()) {
                work.push_back(producer);
            }
        }
    }
    return false;
}

// The loop that encloses every reader of `func` in the kernel; else those that func's own reduction
// may have, if a later decision may put something into them.
std::vector<BlockLoop> InsideKernel::loops_for(const State &state, const Kernel &kernel,
                                               FuncId func) const {
    const BlockLoop around = common_loop(consumer_bands(dag_, kernel, func));
    if (around.valid()) return {around};
    std::vector<BlockLoop> loops;
    for (const Place place : {Place::block_loop, Place::block_outer_loop}) {
        const BlockLoop loop = own_loop(dag_, func, place);
        if (loop.valid() && may_fill_loop(state, loop)) loops.push_back(loop);
    }
    return loops;
}

// Decisions that compute `func` in the kernel at `index` as it is tiled.
void InsideKernel::list_as_tiled(const Kernel &kernel, size_t index, FuncId func,
                                 std::span<const BlockLoop> loops, std::vector<Decision> &out,
                                 RuleCounts &rejected) const {
    list_in_block(kernel, index, func, {}, out, rejected);
    for (const BlockLoop &loop : loops) list_in_block(kernel, index, func, loop, out, rejected);
    const std::vector<const Band *> bands = consumer_bands(dag_, kernel, func);
    if (bands.size() != 1 || !may_hold_more(dag_, kernel, *bands[0])) {
        return rejected.count(kHalideNesting);
    }
    const SiteExtents::Answer in_thread = facts_.site_extents->in_thread(kernel, *bands[0], func);
    if (in_thread->known == SiteExtents::Known::no) return rejected.count(kDynamicAllocation);
    Decision &move = out.emplace_back(decide_place(func, Place::threads));
    move.kernel = index;
    move.extents = in_thread->points;
    move.site = bands[0]->stage;
}

// Those of them that compute it in the block: with that loop (Member::loop) or, if it is invalid,
// with none.
void InsideKernel::list_in_block(const Kernel &kernel, size_t index, FuncId func, BlockLoop loop,
                                 std::vector<Decision> &out, RuleCounts &rejected) const {
    using Known = SiteExtents::Known;
    const BlockLoop around = loop_around(dag_, func, loop);
    const SiteExtents::Answer extents = facts_.site_extents->in_block(kernel, func, around);
    if (extents->known == Known::no) {
        rejected.count(kDynamicAllocation);
        return;
    }
    const auto add = [&]() -> Decision & {
        Decision &move = out.emplace_back(decide_place(func, place_in_block(dag_, func, loop)));
        move.kernel = index;
        move.loop = loop;
        move.extents = extents->points;
        return move;
    };
    for (auto &serial : serials_in_block(facts_, func, extents->points, rejected)) {
        add().serial = std::move(serial);
    }
    if (facts_.may_be_dealt(func)) {
        add().tile = MemberTile::cooperative;
    }
}

std::vector<Decision> InsideKernel::other_tiles(const State &state, size_t index,
                                                RuleCounts &rejected) const {
    const Kernel &kernel = *state.nest.kernels[index];
    const std::vector<SiteExtents::Answer> extents =
        KernelBuilder(facts_).extents_in_block(kernel, kernel.tiling, kernel.members);
    std::vector<Decision> result;
    if (extents.empty()) return result;
    for (size_t i = 0; i < kernel.members.size(); ++i) {
        const Member &member = kernel.members[i];
        if (!is_in_block(member.place)) continue;
        const auto add = [&]() -> Decision & {
            Decision &move = result.emplace_back();
            static_cast<Member &>(move) = member;
            move.kernel = index;
            move.tiling = &kernel.tiling;
            return move;
        };
        const bool given = member.tile == MemberTile::given;
        for (auto &serial : serials_in_block(facts_, member.func, extents[i]->points, rejected)) {
            if (given && std::ranges::equal(serial, serial_of(dag_, kernel, member))) continue;
            Decision &move = add();
            move.tile = MemberTile::given;
            move.serial = std::move(serial);
        }
        const bool may_stride = facts_.may_be_dealt(member.func) && given;
        if (may_stride) add().tile = MemberTile::cooperative;
    }
    return result;
}

std::vector<Decision> InsideKernel::fitted_tiles(const State &state, size_t index,
                                                 const Tiling &tiling) const {
    const Kernel &kernel = *state.nest.kernels[index];
    const std::vector<SiteExtents::Answer> extents =
        KernelBuilder(facts_).extents_in_block(kernel, tiling, kernel.members);
    std::vector<Decision> result;
    for (size_t i = 0; i < extents.size(); ++i) {
        const Member &member = kernel.members[i];
        const bool may_fit = is_in_block(member.place) && member.tile != MemberTile::cooperative &&
                             extents[i]->known == SiteExtents::Known::constant;
        if (!may_fit) continue;
        Decision &move = result.emplace_back();
        static_cast<Member &>(move) = member;
        move.tile = MemberTile::fitted;
        move.kernel = index;
        move.tiling = &tiling;
    }
    return result;
}

// The same with other tilings of the kernel, and few serial tiles.
void InsideKernel::list_retilings(const Kernel &kernel, size_t index, FuncId func,
                                  std::span<const BlockLoop> loops,
                                  std::vector<Decision> &out) const {
    const auto add = [&](Place place, const Tiling &tiling) -> Decision & {
        Decision &move = out.emplace_back(decide_place(func, place));
        move.kernel = index;
        move.tiling = &tiling;
        return move;
    };
    const auto add_in_block = [&](const Tiling &tiling, MemberTile tile) {
        add(Place::block, tiling).tile = tile;
        for (const BlockLoop &loop : loops) {
            Decision &looped = add(place_in_block(dag_, func, loop), tiling);
            looped.tile = tile;
            looped.loop = loop;
        }
    };
    if (!(*facts_.walks)[kernel.stage.index()].empty()) {
        return list_walks(kernel, index, func, out);
    }
    const std::vector<const Tiling *> others =
        all_but(facts_.tilings_of(kernel.stage).tiles, kernel.tiling);
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
        if (facts_.may_be_dealt(func)) add_in_block(*tiling, MemberTile::cooperative);
    }
    for (const Tiling &tiling : facts_.tilings_of(kernel.stage).rows) {
        if (tiling != kernel.tiling) add_in_block(tiling, MemberTile::one_point);
    }
    const std::vector<const Band *> bands = consumer_bands(dag_, kernel, func);
    if (bands.size() != 1 || is_in_rounds(bands[0]->body.back()->level)) return;
    for (const Tiling &tiling : facts_.tilings_of(kernel.stage).whole)
        for_thread.push_back(&tiling);
    for (const Tiling *tiling : for_thread) {
        add(Place::threads, *tiling).site = bands[0]->stage;
    }
}

// The same with tilings in which blocks walk.
void InsideKernel::list_walks(const Kernel &kernel, size_t index, FuncId func,
                              std::vector<Decision> &out) const {
    for (const Tiling &tiling : (*facts_.walks)[kernel.stage.index()]) {
        if (tiling == kernel.tiling) continue;
        const auto add = [&](MemberTile tile) {
            Decision &move = out.emplace_back(decide_place(func, Place::block));
            move.kernel = index;
            move.tiling = &tiling;
            move.tile = tile;
        };
        const bool several =
            std::ranges::any_of(tiling, [](const LoopTile &tile) { return tile.serial > 1; });
        add(several ? MemberTile::like_root : MemberTile::one_point);
        if (facts_.may_be_dealt(func)) add(MemberTile::cooperative);
    }
}

// Keeps the tilings with which the extents of `func`, and of everything already in the block, are
// compile-time constants: for that, some loops may have to be whole in the block. Loops that need
// not be are found one after the other.
std::vector<const Tiling *> InsideKernel::fitting_block(const Kernel &kernel, FuncId func,
                                                        std::vector<const Tiling *> tilings) const {
    const Stage &root = dag_.stage(kernel.stage);
    std::vector<Member> members = kernel.members;
    members.push_back({func, Place::block, {}, {}, MemberTile::one_point});
    Tiling least(root.loops.size());
    const auto is_known = [&] {
        return !KernelBuilder(facts_).extents_in_block(kernel, least, members).empty();
    };
    // Parallel loops may be of a reduction.
    const auto constant_extent = [&](const Loop &loop) {
        const Func &of = dag_.func(root.func);
        const bool constant = loop.dim >= 0 ? of.dims[loop.dim].constant : loop.constant;
        if (!loop.parallel || !constant) return int64_t{1};
        return estimated_range(dag_, root, loop).extent();
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

std::variant<Decision, Rejection> InsideKernel::decision_of(const State &state,
                                                            const Member &member,
                                                            std::vector<int64_t> serial) const {
    const std::vector<size_t> consumers = consumer_kernels(dag_, state, member.func);
    if (consumers.size() != 1) {
        return Rejection{kHalideNesting, {double(consumers.size()), 1, "kernels that read it"}};
    }
    const Kernel &whole = *state.nest.kernels[consumers[0]];
    const Func &func = dag_.func(member.func);
    if (whole.on_host || func.on_host()) return Rejection{kHostBoundary};
    if (!func.may_be_in_kernel()) return Rejection{kUserSchedule};
    const Kernel kernel = without_inlined(whole, member.func);
    Decision move{member, std::move(serial), consumers[0], nullptr, {}};
    SiteExtents::Answer extents;
    if (member.place == Place::threads) {
        const Band *site = find_threads(kernel, member.site);
        if (site == nullptr || !may_hold_more(dag_, kernel, *site)) {
            return Rejection{kHalideNesting};
        }
        extents = facts_.site_extents->in_thread(kernel, *site, member.func);
    } else {
        const BlockLoop around = loop_around(dag_, member.func, member.loop);
        extents = facts_.site_extents->in_block(kernel, member.func, around);
    }
    const bool cooperative = move.tile == MemberTile::cooperative;
    if (cooperative && !facts_.may_be_dealt(member.func)) return Rejection{kLowLaneUse};
    using Known = SiteExtents::Known;
    if (extents->known == Known::no) {
        return Rejection{kDynamicAllocation};
    }
    move.extents = extents->points;
    return move;
}

std::vector<Decision> InsideKernel::staging(const State &state, FuncId copy,
                                            RuleCounts &rejected) const {
    std::vector<Decision> result;
    const std::vector<size_t> consumers = consumer_kernels(dag_, state, copy);
    if (consumers.empty()) return result;
    if (std::any_of(consumers.begin(), consumers.end(),
                    [&](size_t k) { return state.nest.kernels[k]->on_host; })) {
        rejected.count(kHostBoundary);
        return result;
    }
    // Edits put a Func in front of all that is computed in the kernel already.
    const Kernel &kernel = *state.nest.kernels[consumers[0]];
    if (reads_member(dag_, kernel, copy)) {
        rejected.count(kHalideNesting);
        return result;
    }
    list(state, copy, consumers, Retile::yes, result, rejected);
    return result;
}

}  // namespace autoschedule_gpu
