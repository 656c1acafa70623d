// Computing a Func inside a kernel, and tiling a kernel anew with all that is computed in it.
#include <algorithm>

#include "nest/edit.h"
#include "space/space.h"

namespace autoschedule_gpu {

namespace {

// §4: a state that requires excessive recomputation is rejected.
constexpr double kMaxRecompute = 10;
// Points of one array per thread; beyond, it can't stay in registers.
constexpr int64_t kMaxThreadPoints = 64;

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

// What is computed in a kernel, consumers first, each as the move that put it there.
std::vector<Move> SearchSpace::members_of(const Kernel &kernel) const {
    std::vector<Move> members;
    for (const Band *threads : thread_bands(kernel)) {
        for (const BandPtr &inner : threads->body) {
            const Stage &stage = dag_.stage(inner->stage);
            if (inner->stage == kernel.stage || stage.index > 0) continue;
            Move &member = members.emplace_back();
            member.kind = inner->stage == threads->stage ? Move::Kind::compute_in_block
                                                         : Move::Kind::compute_in_thread;
            member.func = stage.func;
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

}  // namespace autoschedule_gpu
