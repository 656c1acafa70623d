#include "scheduler/nest/vectors.h"

#include <algorithm>
#include <set>

#include "scheduler/nest/channel_vectors.h"

namespace autoschedule_gpu {

namespace {

// `seen`: Funcs that were looked at. Each is once, however many paths of what is inlined lead to
// it.
void add_aligned_inputs(const Dag &dag, const Kernel &kernel, StageId stage, std::set<FuncId> &seen,
                        std::vector<FuncId> &found) {
    for (const EdgeId edge : dag.stage(stage).edges) {
        const FuncId producer = dag.edge(edge).producer;
        if (!seen.insert(producer).second) continue;
        const Func &func = dag.func(producer);
        if (func.is_input() && func.aligned_rows) found.push_back(producer);
        if (is_inlined(kernel, producer)) {
            add_aligned_inputs(dag, kernel, func.stages[0], seen, found);
        }
    }
}

bool reads_aligned_input(const Dag &dag, const Kernel &kernel) {
    return std::ranges::any_of(root_threads(kernel)->body, [&](const BandPtr &inner) {
        return vector_loop(dag, *inner) && !aligned_inputs(dag, kernel, inner->stage).empty();
    });
}

}  // namespace

bool has_vector_elements(const Func &func) {
    return func.values.size() == 1 && func.values[0].bytes() == kVectorElementBytes;
}

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

std::optional<FuncId> aligned_output(const Dag &dag, const Kernel &kernel) {
    const Func &func = dag.func_of(kernel.stage);
    if (!func.rows_of.valid()) return std::nullopt;
    return dag.func(func.rows_of).aligned_rows ? std::optional(func.rows_of) : std::nullopt;
}

bool may_have_vectors(const Dag &dag, const Kernel &kernel) {
    if (kernel.on_host || kernel.aligned || kernel.with.valid() || !aligned_output(dag, kernel))
        return false;
    if (is_guarded(dag, kernel)) return false;
    if (!vector_loop(dag, *find_innermost(kernel, kernel.stage))) return false;
    return dag.func_of(kernel.stage).is_output() || reads_aligned_input(dag, kernel);
}

std::optional<size_t> vector_loop(const Dag &dag, const Kernel &kernel, StageId stage) {
    if (!kernel.vectors || !may_have_vectors(dag, kernel)) return std::nullopt;
    if (!dag.wide_vectors && has_channel_vectors(dag, kernel)) return std::nullopt;
    if (channel_vector(dag, kernel, stage)) return std::nullopt;  // of which no row is one, too
    const std::vector<BandPtr> &in_threads = root_threads(kernel)->body;
    const auto inner = std::ranges::find(in_threads, stage, &Band::stage);
    return inner == in_threads.end() ? std::nullopt : vector_loop(dag, **inner);
}

std::vector<FuncId> aligned_inputs(const Dag &dag, const Kernel &kernel, StageId stage) {
    std::set<FuncId> seen;
    std::vector<FuncId> found;
    add_aligned_inputs(dag, kernel, stage, seen, found);
    std::ranges::sort(found);
    return found;
}

}  // namespace autoschedule_gpu
