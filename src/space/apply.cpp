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
    return check_limits(
        {move.func, Placement::root, {{move.kernel, std::get<KernelPtr>(std::move(kernel))}}});
}

std::variant<Successor, Rule> SearchSpace::inline_successor(const State &state, FuncId func) const {
    Successor successor{func, Placement::inlined, {}};
    for (size_t k : consumer_kernels(dag_, state, func)) {
        successor.changes.push_back(
            {k, with_forced_inlines(inline_func(state.nest.kernels[k], func))});
    }
    return check_limits(std::move(successor));
}

Successor SearchSpace::root_successor(const State &state, FuncId id) const {
    const Func &func = dag_.func(id);
    Successor successor{id, Placement::root, {}};
    for (StageId stage : func.stages) {
        KernelPtr kernel =
            func.on_host()
                ? make_host_kernel(dag_, stage)
                : with_forced_inlines(make_kernel(dag_, stage, default_tiling(dag_, gpu_, stage)));
        successor.changes.push_back(
            {state.nest.kernels.size() + successor.changes.size(), std::move(kernel)});
    }
    return successor;
}

std::variant<Successor, Rule> SearchSpace::fused_successor(const State &state,
                                                           const Move &move) const {
    const KernelPtr &before = state.nest.kernels[move.kernel];
    auto changed =
        move.tiling == nullptr ? fused(before, move) : retiled(*before, *move.tiling, &move);
    if (const Rule *rule = std::get_if<Rule>(&changed)) return *rule;
    KernelPtr kernel = with_forced_inlines(std::get<KernelPtr>(std::move(changed)));
    return check_limits({move.func, Placement::fused, {{move.kernel, std::move(kernel)}}});
}

// Adds the always-inlined Funcs that the kernel's stages have come to use.
KernelPtr SearchSpace::with_forced_inlines(KernelPtr kernel) const {
    std::vector<StageId> work{kernel->stage};
    for (const Band *threads : thread_bands(*kernel)) {
        for (const BandPtr &inner : threads->body) work.push_back(inner->stage);
    }
    for (FuncId func : kernel->inlined) work.push_back(dag_.func(func).stages[0]);
    while (!work.empty()) {
        const StageId stage = work.back();
        work.pop_back();
        for (EdgeId edge : dag_.stage(stage).edges) {
            const FuncId func = dag_.edge(edge).producer;
            if (!forced_inline_[func.index()] || is_inlined(*kernel, func)) continue;
            kernel = inline_func(kernel, func);
            work.push_back(dag_.func(func).stages[0]);
        }
    }
    return kernel;
}

}  // namespace autoschedule_gpu
