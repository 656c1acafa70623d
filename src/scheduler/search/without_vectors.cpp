#include "scheduler/search/without_vectors.h"

#include <utility>

#include "scheduler/nest/channel_vectors.h"
#include "scheduler/nest/edit.h"
#include "scheduler/nest/pixel_vectors.h"
#include "scheduler/nest/step_vectors.h"
#include "scheduler/nest/vectors.h"

namespace autoschedule_gpu {
namespace {

struct VectorOption {
    bool Kernel::*is_on;
    bool (*may_have)(const Dag &, const Kernel &);
};
constexpr VectorOption kVectorOptions[] = {
    {&Kernel::vectors, may_have_vectors},
    {&Kernel::step_vectors, may_have_step_vectors},
    {&Kernel::channel_vectors, may_have_channel_vectors},
    {&Kernel::pixel_vectors, may_have_pixel_vectors},
};

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

}  // namespace autoschedule_gpu
