#include "scheduler/search/without_vectors.h"

#include <algorithm>
#include <utility>

#include "scheduler/nest/edit.h"
#include "scheduler/nest/vector_options.h"

namespace autoschedule_gpu {
namespace {

KernelPtr as_loops(const Dag &dag, const KernelPtr &kernel) {
    KernelPtr result = kernel;
    for (const Band *threads : thread_bands(*kernel)) {
        for (const Band *inner : innermost_bands(*threads)) {
            if (inner->steps > 1) result = step_stage(dag, result, inner->stage, 1);
            if (inner->unroll == Unroll::none || UnrolledLoops(dag, *inner).points() == 1) continue;
            result = unroll_stage(dag, result, inner->stage, Unroll::none);
        }
    }
    return result;
}

}  // namespace

std::optional<Nest> without_vectors(const Dag &dag, Nest nest) {
    bool had_any = false;
    for (KernelPtr &kernel : nest.kernels) {
        for (const VectorOption &option : kVectorOptions) {
            if (!((*kernel).*option.is_on) || !option.may_have(dag, *kernel)) continue;
            kernel = switched(kernel, option.is_on, false);
            had_any = true;
        }
    }
    return had_any ? std::optional(std::move(nest)) : std::nullopt;
}

std::optional<Nest> written_as_loops(const Dag &dag, Nest nest) {
    std::optional<Nest> scalar = without_vectors(dag, nest);
    bool differs = scalar.has_value();
    if (scalar) nest = *std::move(scalar);
    for (KernelPtr &kernel : nest.kernels) {
        if (kernel->on_host) continue;
        KernelPtr loops = as_loops(dag, kernel);
        differs = differs || loops != kernel;
        kernel = std::move(loops);
    }
    return differs ? std::optional(std::move(nest)) : std::nullopt;
}

bool has_bytes(const Dag &dag) {
    return std::ranges::any_of(dag.funcs, [](const Func &func) {
        return std::ranges::find(func.values, 8, &ScalarType::bits) != func.values.end();
    });
}

}  // namespace autoschedule_gpu
