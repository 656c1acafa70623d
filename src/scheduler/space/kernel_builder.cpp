#include "scheduler/space/kernel_builder.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "scheduler/nest/channel_vectors.h"
#include "scheduler/nest/edit.h"
#include "scheduler/nest/padding.h"
#include "scheduler/nest/sliding.h"
#include "scheduler/nest/thread_order.h"
#include "scheduler/rules/named_rules.h"
#include "scheduler/space/atomics.h"
#include "scheduler/space/fitted_members.h"
#include "scheduler/space/tilings.h"

namespace autoschedule_gpu {

namespace {

// The serial tile of the kernel's root stage, where a Func of `extents` points has as many.
std::vector<int64_t> serial_like_root(const Dag &dag, const Kernel &kernel,
                                      std::span<const int64_t> extents) {
    std::vector<int64_t> serial(extents.size(), 1);
    const Stage &root = dag.stage(kernel.stage);
    for (size_t i = 0; i < root.loops.size(); ++i) {
        const int dim = root.loops[i].dim;
        if (dim < 0 || dim >= static_cast<int>(extents.size())) continue;
        serial[dim] = std::min(kernel.tiling[i].serial, extents[dim]);
    }
    return serial;
}

// How a Func's points go to threads, and in how many rounds; by its loops.
struct Deal {
    std::vector<int64_t> threads, rounds;

    void take(size_t loop, int64_t most) {
        threads[loop] = std::min(rounds[loop], most);
        rounds[loop] = (rounds[loop] + threads[loop] - 1) / threads[loop];
    }
    int64_t all_threads() const {
        return std::accumulate(threads.begin(), threads.end(), int64_t{1}, std::multiplies<>());
    }
};

// A Func whose points are to be dealt to the root stage's threads, all of them.
class Dealer {
public:
    // `extents`: its points, by dimension; `varying`: dimensions of which a block may have fewer.
    Dealer(const Dag &dag, const Kernel &kernel, FuncId func, std::span<const int64_t> extents,
           uint64_t varying)
        : dag_(dag),
          stage_(dag.func(func).stages[0]),
          varying_(varying),
          root_(thread_extents(*root_threads(kernel))) {
        const std::vector<Loop> &loops = dag.stage(stage_).loops;
        const std::optional<size_t> channels = channels_if_in_block(dag, kernel, func);
        all_.threads.assign(loops.size(), 1);
        for (const Loop &loop : loops) {
            const bool is_vector = channels && loop.dim == static_cast<int>(*channels);
            all_.rounds.push_back(is_vector ? 1 : extents[loop.dim]);
            vector_.push_back(is_vector ? extents[loop.dim] : 1);
        }
    }

    // Puts it into the block: the first three long dimensions, as they lie in memory, run over
    // thread x, y and z; or all over all threads, where that leaves half of them idle. False where
    // neither can be.
    bool deal(KernelDraft &draft, FuncId func, BlockLoop loop) const {
        Deal own = all_;
        std::vector<int> axes = choose_axes(dag_, stage_, own.rounds);
        const int64_t most[] = {root_.x, root_.y, root_.z};
        for (size_t a = 0; a < axes.size(); ++a) own.take(static_cast<size_t>(axes[a]), most[a]);
        Deal row = flat();
        if (2 * own.all_threads() <= row.all_threads()) {
            if (!fits(row)) return false;
            axes = flat_axes(dag_, stage_, row.threads);
            draft.cooperate_in_block(dag_, func, std::move(row.threads), points(row.rounds),
                                     std::move(axes), loop, true);
            return true;
        }
        std::erase_if(axes, [&](int axis) { return own.threads[static_cast<size_t>(axis)] == 1; });
        if (axes != choose_axes(dag_, stage_, own.threads) || !fits(own)) return false;
        draft.cooperate_in_block(dag_, func, std::move(own.threads), points(own.rounds),
                                 std::move(axes), loop);
        return true;
    }

private:
    // To all threads in a row: as many whole loops as there is room for, and a part of the next.
    Deal flat() const {
        Deal deal = all_;
        int64_t room = root_.total();
        for (const int axis : flat_axes(dag_, stage_, deal.rounds)) {
            const auto loop = static_cast<size_t>(axis);
            const bool whole = deal.rounds[loop] <= room;
            deal.take(loop, room);
            room /= deal.threads[loop];
            if (!whole) break;
        }
        return deal;
    }

    // Rounds are written out: of what a block may have fewer of, there is one.
    bool fits(const Deal &deal) const {
        const std::vector<Loop> &loops = dag_.stage(stage_).loops;
        for (size_t i = 0; i < loops.size(); ++i) {
            const bool varies = (varying_ >> loops[i].dim & 1) != 0;
            if (varies && (deal.rounds[i] > 1 || vector_[i] > 1)) return false;
        }
        return true;
    }

    // Of a thread: in rounds, and of the vector that it stores at once.
    std::vector<int64_t> points(std::vector<int64_t> rounds) const {
        for (size_t i = 0; i < rounds.size(); ++i) rounds[i] *= vector_[i];
        return rounds;
    }

    const Dag &dag_;
    const StageId stage_;
    const uint64_t varying_;
    const ThreadExtents root_;
    Deal all_;                     // in one thread, but for:
    std::vector<int64_t> vector_;  // points along the loop that each thread has all of; by loop
};

// Whether a copy in the block, with so many points per thread, needs far more threads than what is
// computed there beside it: more than for a border.
bool widens_block(const Dag &dag, const Kernel &kernel, FuncId copy,
                  std::span<const int64_t> extents, std::span<const int64_t> serial) {
    const StageId stage = dag.func(copy).stages[0];
    std::vector<int64_t> threads;
    for (const Loop &loop : dag.stage(stage).loops) {
        threads.push_back((extents[loop.dim] + serial[loop.dim] - 1) / serial[loop.dim]);
    }
    const ThreadExtents block = block_size(kernel);
    const int64_t most[] = {block.x, block.y, block.z};
    const std::vector<int> axes = choose_axes(dag, stage, threads);
    for (size_t a = 0; a < axes.size(); ++a) {
        if (2 * threads[static_cast<size_t>(axes[a])] > 3 * most[a]) return true;
    }
    return false;
}

// In the place of the member of the same Func, or before what it reads: consumers come first.
void decide_anew(std::vector<Member> &members, const Member &member) {
    const auto place = std::ranges::find_if(
        members, [&](const Member &other) { return other.func <= member.func; });
    if (place != members.end() && place->func == member.func) {
        *place = member;
    } else {
        members.insert(place, member);
    }
}

}  // namespace

std::variant<KernelPtr, Rejection> KernelBuilder::retiled(const Kernel &kernel,
                                                          const Tiling &wanted,
                                                          const Decision *added) const {
    auto made = retiled_once(kernel, wanted, added);
    const KernelPtr *first = std::get_if<KernelPtr>(&made);
    if (first == nullptr || (*first)->aligned == kernel.aligned) return made;
    // What members need was found for tiles that begin elsewhere.
    Kernel other = kernel;
    other.aligned = !kernel.aligned;
    made = retiled_once(other, wanted, added);
    const KernelPtr *second = std::get_if<KernelPtr>(&made);
    if (second != nullptr && (*second)->aligned != other.aligned) {
        return Rejection{kDynamicAllocation};
    }
    return made;
}

// Members as a kernel needs them that is as `kernel.aligned` says.
std::variant<KernelPtr, Rejection> KernelBuilder::retiled_once(const Kernel &kernel,
                                                               const Tiling &wanted,
                                                               const Decision *added) const {
    std::vector<Member> members;
    members.reserve(kernel.members.size() + 1);
    members.assign(kernel.members.begin(), kernel.members.end());
    if (added != nullptr) decide_anew(members, *added);
    std::vector<SiteExtents::Answer> extents = extents_in_block(kernel, wanted, members);
    std::optional<Tiling> narrower = fitting(kernel, wanted, members, extents);
    // What a block needs may be known for the whole tile, and not for the narrower one.
    if (narrower) extents = extents_in_block(kernel, *narrower, members);
    if (extents.empty() && !members.empty()) return Rejection{kDynamicAllocation};
    KernelDraft draft(dag_, kernel.stage, narrower ? *std::move(narrower) : wanted);
    draft.reserve(members.size());
    const bool shares_block = std::ranges::any_of(
        members, [](const Member &member) { return is_in_block(member.place); });
    if (!kernel.along_stores && !shares_block && may_exchange_threads(draft.kernel())) {
        draft.exchange_threads();
    }
    draft.inline_funcs(kernel.inlined);
    for (size_t i = 0; i < members.size(); ++i) {
        Member &member = members[i];
        const std::span<const int64_t> serial = added != nullptr && member.func == added->func
                                                    ? std::span<const int64_t>(added->serial)
                                                    : known_serial(kernel, member);
        std::optional<Rejection> no;
        if (is_in_block(member.place)) {
            const SiteExtentsOfFunc &own = *extents[i];
            // Its tile was chosen for another block.
            const bool may_stride = member.tile == MemberTile::given &&
                                    own.known == SiteExtents::Known::constant &&
                                    facts_.is_copy(member.func);
            if (may_stride && widens_block(dag_, draft.kernel(), member.func, own.points, serial)) {
                member.tile = MemberTile::cooperative;
            }
            no = add(draft, member, own.points, serial);
            if (!no) no = rejection(draft.kernel(), KernelCandidate::Asked::early, *facts_.rules);
        } else {
            const Band *site = find_threads(draft.kernel(), member.site);
            if (site == nullptr || !may_hold_more(dag_, draft.kernel(), *site)) {
                return Rejection{kHalideNesting};
            }
            const SiteExtents::Answer own =
                facts_.site_extents->in_thread(draft.kernel(), *site, member.func);
            if (own->known == SiteExtents::Known::no) return Rejection{kDynamicAllocation};
            no = add(draft, member, own->points, {});
        }
        if (no) return *no;
    }
    add_always_inlined(draft);
    const bool walks = walked_loop(draft.kernel().tiling).has_value();
    if (walks && !members.empty() && !keeps_something(dag_, draft.kernel())) {
        return Rejection{*facts_.rules->find("no_sliding")};
    }
    pad_rows_as(kernel, draft);
    step_as(kernel, draft);
    auto made = completed(std::move(draft), *facts_.rules);
    if (KernelPtr *retiled = std::get_if<KernelPtr>(&made)) switch_as(kernel, *retiled);
    return made;
}

std::optional<Tiling> KernelBuilder::fitting(const Kernel &kernel, const Tiling &tiling,
                                             std::span<const Member> members,
                                             std::span<const SiteExtents::Answer> extents) const {
    std::vector<FittedMember> fitted;
    for (size_t i = 0; i < extents.size(); ++i) {
        if (members[i].tile == MemberTile::fitted) {
            fitted.push_back({members[i].func, extents[i]->points});
        }
    }
    if (fitted.empty()) return std::nullopt;
    Tiling other = narrowed(dag_, kernel.stage, tiling, fitted, facts_.gpu.warp_size);
    return other == tiling ? std::nullopt : std::optional(std::move(other));
}

// Those that are computed in one loop are asked about together.
std::vector<SiteExtents::Answer> KernelBuilder::extents_in_block(
    const Kernel &kernel, const Tiling &tiling, std::span<const Member> members) const {
    std::vector<SiteExtents::Answer> extents(members.size());
    std::vector<FuncId> funcs;
    funcs.reserve(members.size());
    for (size_t first = 0; first < members.size(); ++first) {
        if (!is_in_block(members[first].place) || extents[first]) continue;
        const BlockLoop loop = loop_around(dag_, members[first].func, members[first].loop);
        const auto is_beside = [&](const Member &member) {
            return is_in_block(member.place) && loop_around(dag_, member.func, member.loop) == loop;
        };
        funcs.clear();
        for (const Member &member : members.subspan(first)) {
            if (is_beside(member)) funcs.push_back(member.func);
        }
        auto answers = facts_.site_extents->in_block(kernel, tiling, funcs, loop);
        if (answers.empty()) return {};
        auto answer = answers.begin();
        for (size_t i = first; i < members.size(); ++i) {
            if (is_beside(members[i])) extents[i] = std::move(*answer++);
        }
    }
    return extents;
}

// Whether in the block of a kernel that does not have it yet threads share a reduction of a Func
// that would come after the decision's own.
bool KernelBuilder::shares_reduction_before(const Kernel &kernel, const Decision &decision) const {
    return std::ranges::any_of(kernel.members, [&](const Member &member) {
        if (!is_in_block(member.place) || member.func > decision.func) return false;
        return std::ranges::any_of(dag_.func(member.func).stages, [&](StageId stage) {
            if (dag_.stage(stage).atomics == Atomics::no) return false;
            const Band *threads = find_threads(kernel, stage);
            return threads != nullptr && uses_atomics(dag_, kernel, *threads);
        });
    });
}

std::variant<KernelPtr, Rejection> KernelBuilder::with_member(const Kernel &kernel,
                                                              const Decision &decision) const {
    // What is computed in a block has threads that suit their usual order; how many share a
    // reduction there depends on what was in the block before, which begins with the last Func.
    if (is_in_block(decision.place) &&
        (!kernel.along_stores || shares_reduction_before(kernel, decision))) {
        return retiled(kernel, kernel.tiling, &decision);
    }
    KernelDraft draft(kernel);
    if (const auto no = add(draft, decision, decision.extents, decision.serial)) return *no;
    const bool is_aligned_now = draft.kernel().aligned && !kernel.aligned;
    if (is_aligned_now && !kernel.members.empty()) {
        return retiled(draft.kernel(), kernel.tiling, nullptr);
    }
    add_always_inlined(draft);
    pad_rows_as(kernel, draft);
    return completed(std::move(draft), *facts_.rules);
}

std::span<const int64_t> KernelBuilder::known_serial(const Kernel &kernel,
                                                     const Member &member) const {
    const bool given = is_in_block(member.place) && member.tile == MemberTile::given;
    return given ? serial_of(dag_, kernel, member) : std::span<const int64_t>();
}

// Computes a Func in the kernel, or says why not.
std::optional<Rejection> KernelBuilder::add(KernelDraft &draft, const Member &member,
                                            std::span<const int64_t> extents,
                                            std::span<const int64_t> serial) const {
    if (const auto no = rejection(draft.kernel(), member, extents)) return no;
    if (facts_.site_extents->needs_alignment(draft.kernel(), member)) draft.align();
    if (member.place == Place::threads) {
        draft.compute_in_thread(dag_, member.site, member.func, extents);
        return std::nullopt;
    }
    switch (member.tile) {
        case MemberTile::given:
            draft.compute_in_block(dag_, member.func, extents, serial, member.loop);
            break;
        case MemberTile::one_point:
            draft.compute_in_block(dag_, member.func, extents,
                                   std::vector<int64_t>(extents.size(), 1), member.loop);
            break;
        case MemberTile::like_root:
            draft.compute_in_block(dag_, member.func, extents,
                                   serial_like_root(dag_, draft.kernel(), extents), member.loop);
            break;
        case MemberTile::fitted: {
            const std::vector<int64_t> own = fitted_serial(
                dag_, draft.kernel(), member.func,
                fresh_extents(dag_, draft.kernel(), member.func, extents), facts_.gpu.warp_size);
            if (own.empty()) return Rejection{kLowLaneUse};
            draft.compute_in_block(dag_, member.func, extents, own, member.loop, member.tile);
            break;
        }
        case MemberTile::cooperative:
            if (!deal(draft, member, extents)) return Rejection{kLowLaneUse};
            break;
    }
    const Band *update = find_threads(draft.kernel(), member.loop.update);
    if (update != nullptr && update->axes.empty()) return Rejection{kHalideNesting};
    share_reductions(dag_, facts_.gpu, *facts_.rules, draft, member.func);
    return std::nullopt;
}

// A parameter may be so great that what the block holds does not fit; threads in one row do not
// show that, as threads along the dimension would.
bool KernelBuilder::may_vary(FuncId func, uint64_t varying) const {
    const std::vector<Dimension> &dims = dag_.func(func).dims;
    for (size_t d = 0; d < dims.size(); ++d) {
        const bool varies = (varying >> d & 1) != 0;
        if (varies && dims[d].is_set_by_parameters(dims[d].estimate.extent())) return false;
    }
    return true;
}

bool KernelBuilder::deal(KernelDraft &draft, const Member &member,
                         std::span<const int64_t> extents) const {
    const BlockLoop around = loop_around(dag_, member.func, member.loop);
    const uint64_t varying =
        facts_.site_extents->in_block(draft.kernel(), member.func, around)->varying;
    if (!may_vary(member.func, varying)) return false;
    const std::vector<int64_t> fresh = fresh_extents(dag_, draft.kernel(), member.func, extents);
    return Dealer(dag_, draft.kernel(), member.func, fresh, varying)
        .deal(draft, member.func, member.loop);
}

std::optional<Rejection> KernelBuilder::rejection(const Kernel &kernel, const Member &member,
                                                  std::span<const int64_t> extents) const {
    const bool in_thread = member.place == Place::threads;
    const Band *site = in_thread ? find_threads(kernel, member.site) : nullptr;
    return facts_.rules->rejection({dag_, facts_.gpu, kernel, member.func, site, member.loop,
                                    extents, facts_.is_copy(member.func)});
}

std::optional<Rejection> KernelBuilder::rejection(const Kernel &kernel,
                                                  KernelCandidate::Asked asked,
                                                  const RuleBook &rules) const {
    return rules.rejection(
        {dag_, facts_.gpu, kernel, facts_.copies, facts_.always_inlined, *facts_.site_extents},
        asked);
}

// Inlines the always-inlined Funcs that the kernel's stages have come to use.
void KernelBuilder::add_always_inlined(KernelDraft &draft) const {
    const Kernel &kernel = draft.kernel();
    std::vector<StageId> work;
    work.reserve(2 * kernel.blocks->body.size() + kernel.inlined.size());
    for (const BandPtr &threads : kernel.blocks->body) {
        for (const BandPtr &inner : threads->body) work.push_back(inner->stage);
    }
    for (FuncId func : kernel.inlined) work.push_back(dag_.func(func).stages[0]);
    while (!work.empty()) {
        const StageId stage = work.back();
        work.pop_back();
        for (EdgeId edge : dag_.stage(stage).edges) {
            const FuncId func = dag_.edge(edge).producer;
            if (!facts_.always_inlined[func.index()] || is_inlined(kernel, func)) continue;
            if (dag_.func(func).reader.valid() && is_computed_in(dag_, kernel, func)) continue;
            draft.inline_func(func);
            work.push_back(dag_.func(func).stages[0]);
        }
    }
}

void KernelBuilder::pad_rows_as(const Kernel &before, KernelDraft &draft) const {
    for (const Band *threads : thread_bands(before)) {
        if (threads->row == 0) continue;
        const std::optional<int64_t> row = padded_row(dag_, draft.kernel(), threads->stage);
        if (row) draft.store_rows(threads->stage, *row);
    }
}

// In which order threads are is decided before anything is computed in them.
void KernelBuilder::switch_as(const Kernel &before, KernelPtr &kernel) {
    for (const KernelOption &option : kKernelOptions) {
        if (before.*option.is_on || option.is_on == &Kernel::along_stores) continue;
        kernel = switched(kernel, option.is_on, false);
    }
}

void KernelBuilder::step_as(const Kernel &before, KernelDraft &draft) const {
    for (const Band *threads : thread_bands(before)) {
        for (const Band *inner : innermost_bands(*threads)) {
            if (inner->steps > 1) draft.step_stage(dag_, inner->stage, inner->steps);
        }
    }
}

std::variant<KernelPtr, Rejection> KernelBuilder::completed(KernelDraft draft,
                                                            const RuleBook &rules) const {
    const auto no = rejection(draft.kernel(), KernelCandidate::Asked::complete, rules);
    if (no) return *no;
    return std::move(draft).finish();
}

KernelPtr KernelBuilder::at_root(StageId stage) const {
    if (dag_.func_of(stage).on_host()) return make_host_kernel(dag_, stage);
    KernelDraft draft(dag_, stage, default_tiling(dag_, facts_.gpu, stage));
    add_always_inlined(draft);
    return std::move(draft).finish();
}

KernelPtr KernelBuilder::with_inlined(const Kernel &kernel, FuncId func) const {
    KernelDraft draft(kernel);
    draft.inline_func(func);
    add_always_inlined(draft);
    return std::move(draft).finish();
}

std::variant<KernelPtr, Rejection> KernelBuilder::with_inlined(const Kernel &kernel, FuncId func,
                                                               const RuleBook &rules) const {
    KernelDraft draft(kernel);
    draft.inline_func(func);
    add_always_inlined(draft);
    return completed(std::move(draft), rules);
}

KernelPtr KernelBuilder::with_always_inlined(const Kernel &kernel) const {
    KernelDraft draft(kernel);
    add_always_inlined(draft);
    return std::move(draft).finish();
}

}  // namespace autoschedule_gpu
