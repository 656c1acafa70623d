// What a move makes of a state.
#include "nest/edit.h"
#include "space/space.h"

namespace autoschedule_gpu {

std::variant<Successor, Rule> SearchSpace::apply(const State &state, const Move &move) const {
    switch (move.kind) {
        case Move::Kind::keep:
            return Successor{FuncId(), Placement::root, {}};
        case Move::Kind::compute_inline:
            return inline_successor(state, move.func);
        case Move::Kind::compute_root:
            return root_successor(state, move.func);
        case Move::Kind::compute_in_block:
        case Move::Kind::compute_in_thread:
            return fused_successor(state, move);
        case Move::Kind::tile_root:
            break;
    }
    return tiled_successor(state, move);
}

std::variant<Successor, Rule> SearchSpace::tiled_successor(const State &state,
                                                           const Move &move) const {
    auto kernel = retiled(*state.nest.kernels[move.kernel], *move.tiling, nullptr);
    if (const Rule *rule = std::get_if<Rule>(&kernel)) return *rule;
    return Successor{
        move.func, Placement::root, {{move.kernel, std::get<KernelPtr>(std::move(kernel))}}};
}

std::variant<Successor, Rule> SearchSpace::inline_successor(const State &state, FuncId func) const {
    Successor successor{func, Placement::inlined, {}};
    for (size_t k : consumer_kernels(dag_, state, func)) {
        KernelDraft draft(*state.nest.kernels[k]);
        draft.inline_func(func);
        auto kernel = completed(std::move(draft));
        if (const Rule *rule = std::get_if<Rule>(&kernel)) return *rule;
        successor.changes.push_back({k, std::get<KernelPtr>(std::move(kernel))});
    }
    return successor;
}

std::variant<Successor, Rule> SearchSpace::fused_successor(const State &state,
                                                           const Move &move) const {
    const Kernel before = without_inlined(*state.nest.kernels[move.kernel], move.func);
    auto kernel =
        move.tiling == nullptr ? fused(before, move) : retiled(before, *move.tiling, &move);
    if (const Rule *rule = std::get_if<Rule>(&kernel)) return *rule;
    return Successor{
        move.func, Placement::fused, {{move.kernel, std::get<KernelPtr>(std::move(kernel))}}};
}

Successor SearchSpace::root_successor(const State &state, FuncId id) const {
    const Func &func = dag_.func(id);
    Successor successor{id, Placement::root, {}};
    for (StageId stage : func.stages) {
        KernelPtr kernel;
        if (func.on_host()) {
            kernel = make_host_kernel(dag_, stage);
        } else {
            KernelDraft draft(dag_, stage, default_tiling(dag_, gpu_, stage));
            add_forced_inlines(draft);
            kernel = std::move(draft).finish();
        }
        successor.changes.push_back(
            {state.nest.kernels.size() + successor.changes.size(), std::move(kernel)});
    }
    return successor;
}

// Inlines the always-inlined Funcs that the kernel's stages have come to use.
void SearchSpace::add_forced_inlines(KernelDraft &draft) const {
    const Kernel &kernel = draft.kernel();
    std::vector<StageId> work;
    for (const BandPtr &threads : kernel.blocks->body) {
        for (const BandPtr &inner : threads->body) work.push_back(inner->stage);
    }
    for (FuncId func : kernel.inlined) work.push_back(dag_.func(func).stages[0]);
    while (!work.empty()) {
        const StageId stage = work.back();
        work.pop_back();
        for (EdgeId edge : dag_.stage(stage).edges) {
            const FuncId func = dag_.edge(edge).producer;
            if (!forced_inline_[func.index()] || is_inlined(kernel, func)) continue;
            if (dag_.func(func).reader.valid() && is_computed_in(dag_, kernel, func)) continue;
            draft.inline_func(func);
            work.push_back(dag_.func(func).stages[0]);
        }
    }
}

// The kernel that a draft of an edit comes to.
std::variant<KernelPtr, Rule> SearchSpace::completed(KernelDraft draft) const {
    add_forced_inlines(draft);
    if (const std::optional<Rule> rule = beyond_limits(draft.kernel())) return *rule;
    return std::move(draft).finish();
}

}  // namespace autoschedule_gpu
