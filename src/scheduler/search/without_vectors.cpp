#include "scheduler/search/without_vectors.h"

#include <utility>

#include "scheduler/nest/edit.h"
#include "scheduler/nest/vector_options.h"

namespace autoschedule_gpu {

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

}  // namespace autoschedule_gpu
