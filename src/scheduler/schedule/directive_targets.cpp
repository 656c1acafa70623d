#include "scheduler/schedule/directive_targets.h"

#include <algorithm>

#include "scheduler/schedule/cpp_identifiers.h"

namespace autoschedule_gpu {

const Func *find_func(const Dag &dag, int halide_index) {
    const auto found = std::ranges::find(dag.funcs, halide_index, &Func::halide_index);
    return halide_index < 0 || found == dag.funcs.end() ? nullptr : &*found;
}

const std::vector<Loop> *find_loops(const Dag &dag, int func, int stage) {
    const Func *owner = find_func(dag, func);
    if (owner == nullptr || stage < 0 || static_cast<size_t>(stage) >= owner->stages.size()) {
        return nullptr;
    }
    return &dag.stage(owner->stages[static_cast<size_t>(stage)]).loops;
}

const Loop *find_loop(const Dag &dag, int func, int stage, int loop) {
    const std::vector<Loop> *loops = find_loops(dag, func, stage);
    const bool known = loops != nullptr && loop >= 0 && static_cast<size_t>(loop) < loops->size();
    return known ? &(*loops)[static_cast<size_t>(loop)] : nullptr;
}

std::string loop_name(const Dag &dag, int func, int stage, const LoopRef &loop) {
    const Loop *found = find_loop(dag, func, stage, loop.original);
    return without_counter(found != nullptr ? found->name : loop.name);
}

ReductionLoops::Original reductions_of(const Dag &dag) {
    return [&dag](int func, int stage, int loop) {
        const Loop *found = find_loop(dag, func, stage, loop);
        return found != nullptr && found->kind == Loop::Kind::reduction;
    };
}

}  // namespace autoschedule_gpu
