#include "scheduler/search/plain.h"

#include "scheduler/nest/edit.h"

namespace autoschedule_gpu {

State complete_plainly(const SearchSpace &space, KernelCosts &costs, State state,
                       size_t first_step) {
    for (size_t i = first_step; i < space.steps().size(); ++i) {
        const Decision move = space.plain_decision(space.steps()[i]);
        if (is_nothing(move)) continue;
        const Successor successor = std::get<Successor>(space.apply(state, move));
        state = materialise(space.dag(), costs, std::move(state), successor);
    }
    return state;
}

State plain_state(const SearchSpace &space, const CostModel &model) {
    ThreadPool pool(1);
    ModelCosts costs(space.dag(), space.gpu(), model, pool);
    return complete_plainly(space, costs, space.initial(), 0);
}

State host_state(const SearchSpace &space) {
    State state = space.initial();
    for (const Step &step : space.steps()) {
        if (step.kind == Step::Kind::tile) continue;
        Successor successor{step.func, Place::root, {}};
        for (StageId stage : space.dag().func(step.func).stages) {
            const size_t index = state.nest.kernels.size() + successor.changes.size();
            successor.changes.push_back({index, make_host_kernel(space.dag(), stage)});
        }
        state = with_open_costs(space.dag(), std::move(state), successor);
    }
    return state;
}

}  // namespace autoschedule_gpu
