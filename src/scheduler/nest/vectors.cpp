#include "scheduler/nest/vectors.h"

#include <algorithm>

namespace autoschedule_gpu {

namespace {

bool has_vector_elements(const Func &func) {
    return func.values.size() == 1 && func.values[0].bytes() == kVectorElementBytes;
}

void add_aligned_inputs(const Dag &dag, const Kernel &kernel, StageId stage,
                        std::vector<FuncId> &found) {
    for (const EdgeId edge : dag.stage(stage).edges) {
        const FuncId producer = dag.edge(edge).producer;
        const Func &func = dag.func(producer);
        if (func.is_input() && func.aligned_rows) found.push_back(producer);
        if (is_inlined(kernel, producer)) {
            add_aligned_inputs(dag, kernel, func.stages[0], found);
        }
    }
}

}  // namespace

std::optional<size_t> vector_loop(const Dag &dag, const Band &innermost) {
    const Stage &stage = dag.stage(innermost.stage);
    if (innermost.level != Level::serial || !has_vector_elements(dag.func(stage.func))) {
        return std::nullopt;
    }
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        if (stage.loops[i].dim != 0) continue;
        const bool is_whole = UnrolledLoops(dag, innermost).is_whole(i);
        return is_whole && innermost.trips[i] == kVectorElements ? std::optional(i) : std::nullopt;
    }
    return std::nullopt;
}

bool may_have_vectors(const Dag &dag, const Kernel &kernel) {
    if (kernel.on_host) return false;
    const Func &func = dag.func_of(kernel.stage);
    return func.is_output() && func.aligned_rows && !kernel.aligned && !is_guarded(dag, kernel) &&
           vector_loop(dag, *find_innermost(kernel, kernel.stage)).has_value();
}

std::optional<size_t> vector_loop(const Dag &dag, const Kernel &kernel, StageId stage) {
    if (!kernel.vectors || !may_have_vectors(dag, kernel)) return std::nullopt;
    const std::vector<BandPtr> &in_threads = root_threads(kernel)->body;
    const auto inner = std::ranges::find(in_threads, stage, &Band::stage);
    return inner == in_threads.end() ? std::nullopt : vector_loop(dag, **inner);
}

std::vector<FuncId> aligned_inputs(const Dag &dag, const Kernel &kernel, StageId stage) {
    std::vector<FuncId> found;
    add_aligned_inputs(dag, kernel, stage, found);
    std::ranges::sort(found);
    found.erase(std::ranges::unique(found).begin(), found.end());
    return found;
}

}  // namespace autoschedule_gpu
