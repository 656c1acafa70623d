#include "scheduler/search/windows.h"

#include <algorithm>

#include "scheduler/search/chains.h"

namespace autoschedule_gpu {

namespace {

// The only kernel that reads a Func, if its blocks may walk.
std::optional<size_t> reader_of(const Dag &dag, const State &state, FuncId func) {
    const std::vector<size_t> readers = consumer_kernels(dag, state, func);
    if (readers.size() != 1) return std::nullopt;
    const Kernel &reader = *state.nest.kernels[readers[0]];
    if (reader.on_host || dag.func_of(reader.stage).stages.size() != 1) return std::nullopt;
    return readers[0];
}

bool is_window(const Dag &dag, FuncId func) {
    return std::ranges::any_of(dag.consumers[func.index()],
                               [&](EdgeId edge) { return !dag.edge(edge).pointwise; });
}

std::optional<Window> window_of(const Dag &dag, const State &state, FuncId id) {
    const Func &func = dag.func(id);
    if (func.stages.size() != 1 || func.on_host() || !func.may_be_in_kernel() ||
        !is_window(dag, id)) {
        return std::nullopt;
    }
    const std::optional<size_t> reader = reader_of(dag, state, id);
    if (!reader) return std::nullopt;
    const Place place = state.nest.place(id);
    if (place == Place::inlined || place == Place::threads) return Window{id, {*reader}};
    if (!may_leave_root(dag, state, id)) return std::nullopt;
    const auto own = static_cast<size_t>(state.home[func.stages[0].index()]);
    const Kernel &kernel = *state.nest.kernels[*reader];
    return Window{id, {own, *reader}, Joined{id, func.stages[0], kernel.stage, kernel.tiling}};
}

}  // namespace

std::vector<Window> windows(const Dag &dag, const State &state, double least_share) {
    std::vector<Window> found;
    for (size_t i = dag.funcs.size(); i-- > 0;) {
        if (dag.funcs[i].is_input() || dag.funcs[i].must_inline) continue;
        std::optional<Window> window = window_of(dag, state, FuncId(i));
        if (!window) continue;
        const bool costs_enough = std::ranges::all_of(window->kernels, [&](size_t k) {
            return state.kernel_costs[k] >= least_share * state.cost;
        });
        if (costs_enough) found.push_back(*std::move(window));
    }
    return found;
}

}  // namespace autoschedule_gpu
