#include "scheduler/nest/multiples.h"

#include <algorithm>
#include <numeric>

#include "scheduler/nest/pixel_vectors.h"
#include "scheduler/nest/vectors.h"

namespace autoschedule_gpu {

namespace {

// Of all stages that the kernel computes, inlined ones included.
int64_t period_of(const Dag &dag, const Kernel &kernel) {
    int64_t period = 1;
    for (const Band *inner : innermost_bands(*kernel.blocks)) {
        period = std::lcm(period, dag.stage(inner->stage).period);
    }
    for (const FuncId func : kernel.inlined) {
        period = std::lcm(period, dag.stage(dag.func(func).stages[0]).period);
    }
    return period;
}

// Whether some thread computes several points of a pattern one after the other, in code of their
// own.
bool unrolls_patterns(const Dag &dag, const Kernel &kernel, int64_t period) {
    return std::ranges::any_of(innermost_bands(*kernel.blocks), [&](const Band *inner) {
        const std::vector<Loop> &loops = dag.stage(inner->stage).loops;
        const UnrolledLoops unrolled(dag, *inner);
        for (size_t i = 0; i < loops.size(); ++i) {
            if (loops[i].parallel && unrolled[i] % period == 0) return true;
        }
        return false;
    });
}

std::vector<int64_t> possible_multiples(const Dag &dag, const Kernel &kernel) {
    // Every kernel whose cost is asked for comes here, and most leave at once.
    const Func &func = dag.func_of(kernel.stage);
    if (kernel.on_host || kernel.aligned || !func.is_output()) return {};
    // The condition of the further schedule is about the output's buffer: a Tuple has several.
    if (func.values.size() != 1) return {};
    const int64_t period = period_of(dag, kernel);
    if (period == 1 || is_guarded(dag, kernel) || vector_loop(dag, kernel, kernel.stage)) return {};
    if (pixel_vectors(dag, kernel)) return {};
    if (!unrolls_patterns(dag, kernel, period)) return {};
    std::vector<int64_t> result(func.dims.size());
    for (size_t i = 0; i < kernel.tiling.size(); ++i) {
        const Loop &loop = dag.stage(kernel.stage).loops[i];
        if (loop.dim < 0 || !has_blocks(loop, kernel.tiling[i])) continue;
        const auto d = static_cast<size_t>(loop.dim);
        if (func.dims[d].constant || kernel.tiling[i].points() % period != 0) continue;
        const Interval &estimate = func.dims[d].estimate;
        if (estimate.min % period != 0 || estimate.extent() % period != 0) return {};
        result[d] = period;
    }
    const bool any = std::ranges::any_of(result, [](int64_t multiple) { return multiple > 0; });
    return any ? result : std::vector<int64_t>();
}

}  // namespace

std::vector<int64_t> multiples(const Dag &dag, const Kernel &kernel) {
    return kernel.multiples ? possible_multiples(dag, kernel) : std::vector<int64_t>();
}

bool may_have_multiples(const Dag &dag, const Kernel &kernel) {
    return !possible_multiples(dag, kernel).empty();
}

}  // namespace autoschedule_gpu
