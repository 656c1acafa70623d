// Computing a Func inside a kernel, and tiling a kernel anew with all that is computed in it.
#include <algorithm>

#include "nest/edit.h"
#include "space/atomics.h"
#include "space/space.h"

namespace autoschedule_gpu {

namespace {

// §4: a state that requires excessive recomputation is rejected.
constexpr double kMaxRecompute = 10;
// Points of one array per thread; beyond, it can't stay in registers.
constexpr int64_t kMaxThreadPoints = 64;

int64_t product(std::span<const int64_t> values) {
    int64_t result = 1;
    for (int64_t v : values) result *= v;
    return result;
}

double points_at_root(const Func &func) {
    double result = 1;
    for (const Dimension &dim : func.dims) result *= static_cast<double>(dim.estimate.extent());
    return std::max(1.0, result);
}

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

// A copy's points to the root stage's threads: its first three long dimensions, as they lie in
// memory, run over thread x, y and z. False for blocks too narrow for that order.
bool deal(const Dag &dag, KernelDraft &draft, FuncId func, std::span<const int64_t> extents,
          StageId loop) {
    const StageId stage = dag.func(func).stages[0];
    const ThreadExtents root = thread_extents(*root_threads(draft.kernel()));
    std::vector<int64_t> threads(extents.size(), 1), rounds;
    for (const Loop &loop : dag.stage(stage).loops) rounds.push_back(extents[loop.dim]);
    std::vector<int> axes = choose_axes(dag, stage, rounds);
    const int64_t most[] = {root.x, root.y, root.z};
    for (size_t a = 0; a < axes.size(); ++a) {
        const size_t loop = static_cast<size_t>(axes[a]);
        threads[loop] = std::min(rounds[loop], most[a]);
        rounds[loop] = (rounds[loop] + threads[loop] - 1) / threads[loop];
    }
    std::erase_if(axes, [&](int axis) { return threads[static_cast<size_t>(axis)] == 1; });
    if (axes != choose_axes(dag, stage, threads)) return false;
    draft.deal_in_block(dag, func, std::move(threads), std::move(rounds), std::move(axes), loop);
    return true;
}

// Whether a copy in the block, with so many points per thread, needs far more threads than the root
// stage has: more than for a border.
bool widens_block(const Dag &dag, const Kernel &kernel, FuncId copy,
                  std::span<const int64_t> extents, std::span<const int64_t> serial) {
    const StageId stage = dag.func(copy).stages[0];
    std::vector<int64_t> threads;
    for (const Loop &loop : dag.stage(stage).loops) {
        threads.push_back((extents[loop.dim] + serial[loop.dim] - 1) / serial[loop.dim]);
    }
    const ThreadExtents root = thread_extents(*root_threads(kernel));
    const int64_t most[] = {root.x, root.y, root.z};
    const std::vector<int> axes = choose_axes(dag, stage, threads);
    for (size_t a = 0; a < axes.size(); ++a) {
        if (2 * threads[static_cast<size_t>(axes[a])] > 3 * most[a]) return true;
    }
    return false;
}

}  // namespace

std::vector<SearchSpace::Member> SearchSpace::members_of(const Kernel &kernel) const {
    const std::vector<StageId> loops = loops_of(kernel);
    const auto own_loop = [&](FuncId func) {
        const auto own = std::find_if(loops.begin(), loops.end(),
                                      [&](StageId loop) { return dag_.stage(loop).func == func; });
        return own == loops.end() ? StageId() : *own;
    };
    std::vector<Member> members;
    members.reserve(2 * kernel.blocks->body.size());
    for (const BandPtr &threads : kernel.blocks->body) {
        for (const BandPtr &inner : threads->body) {
            const Stage &stage = dag_.stage(inner->stage);
            if (inner->stage == kernel.stage || stage.index > 0) continue;
            const bool in_block = inner->stage == threads->stage;
            members.push_back(
                {stage.func,
                 in_block ? Move::Kind::compute_in_block : Move::Kind::compute_in_thread,
                 threads->stage, threads->loop.valid() ? threads->loop : own_loop(stage.func),
                 inner->level == Level::rounds ? MemberTile::dealt : MemberTile::given,
                 inner->trips});
        }
    }
    std::sort(members.begin(), members.end(),
              [](const Member &a, const Member &b) { return a.func > b.func; });
    return members;
}

// The kernel with another tiling of its root stage and everything in it computed as before, over
// the regions that this leads to; `added` as well, unless it is null.
std::variant<KernelPtr, Rule> SearchSpace::retiled(const Kernel &kernel, const Tiling &tiling,
                                                   const Move *added) const {
    std::vector<Member> members = members_of(kernel);
    if (added != nullptr) members.push_back(member_of(*added));
    const std::vector<SiteExtents::Answer> extents = extents_in_block(kernel, tiling, members);
    if (extents.empty() && !members.empty()) return Rule::dynamic_allocation;
    KernelDraft draft(dag_, kernel.stage, tiling);
    for (FuncId func : kernel.inlined) draft.inline_func(func);
    for (size_t i = 0; i < members.size(); ++i) {
        Member &member = members[i];
        std::optional<Rule> rule;
        if (member.kind == Move::Kind::compute_in_block) {
            const SiteExtentsOfFunc &own = *extents[i];
            // Its tile was chosen for another block.
            const bool may_be_dealt = member.tile == MemberTile::given &&
                                      own.known == SiteExtents::Known::constant &&
                                      copies_[member.func.index()];
            if (may_be_dealt &&
                widens_block(dag_, draft.kernel(), member.func, own.points, member.serial)) {
                member.tile = MemberTile::dealt;
            }
            if (member.tile == MemberTile::dealt && own.known != SiteExtents::Known::constant) {
                return Rule::dynamic_allocation;
            }
            rule = fuse(draft, member, own.points);
            if (!rule && too_many_threads(draft.kernel())) rule = Rule::hardware_threads;
        } else {
            const Band *site = find_threads(draft.kernel(), member.site);
            if (site == nullptr || site->axes.empty() ||
                uses_atomics(dag_, draft.kernel(), *site)) {
                return Rule::halide_nesting;
            }
            const SiteExtents::Answer own =
                site_extents_->in_thread(draft.kernel(), *site, member.func);
            if (own->known == SiteExtents::Known::no) return Rule::dynamic_allocation;
            rule = fuse(draft, member, own->points);
        }
        if (rule) return *rule;
    }
    return completed(std::move(draft));
}

// What a block with that tiling needs of the members that are computed there, by member. Empty if
// that of some can't be known.
std::vector<SiteExtents::Answer> SearchSpace::extents_in_block(
    const Kernel &kernel, const Tiling &tiling, std::span<const Member> members) const {
    std::vector<StageId> loops{StageId()};
    for (const Member &member : members) {
        const StageId loop = loop_around(dag_, member.func, member.loop);
        if (std::find(loops.begin(), loops.end(), loop) == loops.end()) loops.push_back(loop);
    }
    std::vector<SiteExtents::Answer> extents(members.size());
    std::vector<FuncId> funcs;
    std::vector<size_t> places;
    for (StageId loop : loops) {
        funcs.clear();
        places.clear();
        for (size_t i = 0; i < members.size(); ++i) {
            const bool in_block = members[i].kind == Move::Kind::compute_in_block;
            if (!in_block || loop_around(dag_, members[i].func, members[i].loop) != loop) continue;
            funcs.push_back(members[i].func);
            places.push_back(i);
        }
        if (funcs.empty()) continue;
        auto answers = site_extents_->in_block(kernel, tiling, funcs, loop);
        if (answers.empty()) return {};
        for (size_t f = 0; f < funcs.size(); ++f) extents[places[f]] = std::move(answers[f]);
    }
    return extents;
}

SearchSpace::Member SearchSpace::member_of(const Move &move) {
    return {move.func, move.kind, move.site, move.loop, move.member_tile, move.serial};
}

// The kernel as it is tiled, with what the move adds.
std::variant<KernelPtr, Rule> SearchSpace::fused(const Kernel &kernel, const Move &move) const {
    KernelDraft draft(kernel);
    if (const std::optional<Rule> rule = fuse(draft, member_of(move), move.extents)) return *rule;
    return completed(std::move(draft));
}

// Computes a Func in the kernel, or says why not.
std::optional<Rule> SearchSpace::fuse(KernelDraft &draft, const Member &member,
                                      std::span<const int64_t> extents) const {
    if (std::optional<Rule> rule = rejects_fusion(draft.kernel(), member, extents)) return rule;
    if (member.kind == Move::Kind::compute_in_thread) {
        draft.compute_in_thread(dag_, member.site, member.func, extents);
        return std::nullopt;
    }
    switch (member.tile) {
        case MemberTile::given:
            draft.compute_in_block(dag_, member.func, extents, member.serial, member.loop);
            break;
        case MemberTile::one_point:
            draft.compute_in_block(dag_, member.func, extents,
                                   std::vector<int64_t>(extents.size(), 1), member.loop);
            break;
        case MemberTile::like_root:
            draft.compute_in_block(dag_, member.func, extents,
                                   serial_like_root(dag_, draft.kernel(), extents), member.loop);
            break;
        case MemberTile::dealt:
            if (!deal(dag_, draft, member.func, extents, member.loop)) return Rule::low_lane_use;
            break;
    }
    const Band *update = find_threads(draft.kernel(), member.loop);
    if (update != nullptr && update->axes.empty()) return Rule::halide_nesting;
    share_reductions(dag_, rules_, draft, member.func);
    return std::nullopt;
}

std::optional<Rule> SearchSpace::rejects_fusion(const Kernel &kernel, const Member &member,
                                                std::span<const int64_t> extents) const {
    const bool in_thread = member.kind == Move::Kind::compute_in_thread;
    const bool nested = in_thread ? member.site != kernel.stage : member.loop.valid();
    if (nested && rules_.has(Rule::nested_fusion)) return Rule::nested_fusion;
    const int64_t points = product(extents);
    if (in_thread && rules_.has(Rule::large_thread_allocation) && points > kMaxThreadPoints) {
        return Rule::large_thread_allocation;
    }
    const Band *site = in_thread ? find_threads(kernel, member.site) : nullptr;
    const StageId loop = in_thread ? site->loop : loop_around(dag_, member.func, member.loop);
    double times = static_cast<double>(iterations(*kernel.blocks));
    times *= static_cast<double>(loop_iterations(dag_, loop));
    if (in_thread) times *= static_cast<double>(iterations(*site));
    const double evaluations = times * static_cast<double>(points);
    if (rules_.has(Rule::excess_recompute) && !copies_[member.func.index()] &&
        evaluations > kMaxRecompute * points_at_root(dag_.func(member.func))) {
        return Rule::excess_recompute;
    }
    return std::nullopt;
}

}  // namespace autoschedule_gpu
