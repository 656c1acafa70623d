#include "scheduler/space/state.h"

#include <algorithm>

namespace autoschedule_gpu {

uint64_t id_after(const State &parent, const Successor &successor) {
    uint64_t id = parent.id;
    for (const KernelChange &change : successor.changes) {
        if (change.index < parent.nest.kernels.size()) {
            id -= hash_share(*parent.nest.kernels[change.index]);
        }
        id += hash_share(*change.kernel);
    }
    if (!successor.func.valid()) return id;
    return id - hash_share(successor.func, parent.nest.place(successor.func)) +
           hash_share(successor.func, successor.place);
}

State materialise(const Dag &dag, State state, const Successor &successor,
                  const std::vector<double> &costs) {
    state.id = id_after(state, successor);
    if (!successor.func.valid()) return state;
    for (size_t i = 0; i < successor.changes.size(); ++i) {
        const KernelChange &change = successor.changes[i];
        if (change.index == state.nest.kernels.size()) {
            state.nest.kernels.push_back(change.kernel);
            state.kernel_costs.push_back(costs[i]);
            state.home[change.kernel->stage.index()] = static_cast<int32_t>(change.index);
            continue;
        }
        state.nest.kernels[change.index] = change.kernel;
        state.kernel_costs[change.index] = costs[i];
        if (is_in_kernel(successor.place)) {
            for (StageId stage : dag.func(successor.func).stages) {
                state.home[stage.index()] = static_cast<int32_t>(change.index);
            }
        }
    }
    state.nest.places[successor.func.index()] = successor.place;
    // Summed anew, in a fixed order: a running sum would depend on the path.
    state.cost = 0;
    for (double cost : state.kernel_costs) state.cost += cost;
    return state;
}

State with_open_costs(const Dag &dag, State parent, const Successor &successor) {
    const std::vector<double> open(successor.changes.size(), 0.0);
    return materialise(dag, std::move(parent), successor, open);
}

// Adds the kernels on the host that evaluate an inlined Func: these do not list what is inlined.
static void add_host_readers(const Dag &dag, const State &state, FuncId inlined,
                             std::vector<size_t> &result) {
    std::vector<FuncId> work{inlined};
    for (size_t next = 0; next < work.size(); ++next) {
        for (EdgeId edge : dag.consumers[work[next].index()]) {
            const StageId stage = dag.edge(edge).consumer;
            const FuncId reader = dag.stage(stage).func;
            const int32_t home = state.home[stage.index()];
            if (state.nest.place(reader) == Place::inlined) {
                if (std::find(work.begin(), work.end(), reader) == work.end()) {
                    work.push_back(reader);
                }
            } else if (home >= 0 && state.nest.kernels[static_cast<size_t>(home)]->on_host) {
                result.push_back(static_cast<size_t>(home));
            }
        }
    }
}

std::vector<size_t> consumer_kernels(const Dag &dag, const State &state, FuncId func) {
    std::vector<size_t> result;
    const bool any_host = std::any_of(state.nest.kernels.begin(), state.nest.kernels.end(),
                                      [](const KernelPtr &kernel) { return kernel->on_host; });
    for (EdgeId edge : dag.consumers[func.index()]) {
        const StageId stage = dag.edge(edge).consumer;
        const FuncId consumer = dag.stage(stage).func;
        if (state.nest.place(consumer) == Place::inlined) {
            for (size_t k = 0; k < state.nest.kernels.size(); ++k) {
                if (is_inlined(*state.nest.kernels[k], consumer)) result.push_back(k);
            }
            if (any_host) add_host_readers(dag, state, consumer, result);
        } else if (state.home[stage.index()] >= 0) {
            result.push_back(static_cast<size_t>(state.home[stage.index()]));
        }
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

// Whether a stage reads `func`, directly or through inlined Funcs. `seen`: inlined Funcs that were
// looked into before.
static bool uses(const Dag &dag, const Kernel &kernel, StageId stage, FuncId func,
                 std::vector<FuncId> &seen) {
    for (EdgeId id : dag.stage(stage).edges) {
        const FuncId producer = dag.edge(id).producer;
        if (producer == func) return true;
        // Producers precede consumers, so what lies before `func` can't lead to it.
        if (producer < func || !is_inlined(kernel, producer)) continue;
        if (std::find(seen.begin(), seen.end(), producer) != seen.end()) continue;
        seen.push_back(producer);
        if (uses(dag, kernel, dag.func(producer).stages[0], func, seen)) return true;
    }
    return false;
}

std::vector<const Band *> consumer_bands(const Dag &dag, const Kernel &kernel, FuncId func) {
    std::vector<const Band *> result;
    for (const Band *threads : thread_bands(kernel)) {
        for (const BandPtr &inner : threads->body) {
            std::vector<FuncId> seen;
            if (!uses(dag, kernel, inner->stage, func, seen)) continue;
            result.push_back(threads);
            break;
        }
    }
    return result;
}

BlockLoop common_loop(const std::vector<const Band *> &bands) {
    const BlockLoop loop = bands.empty() ? BlockLoop() : bands[0]->loop;
    const bool common =
        std::ranges::all_of(bands, [&](const Band *band) { return band->loop == loop; });
    return common ? loop : BlockLoop();
}

}  // namespace autoschedule_gpu
