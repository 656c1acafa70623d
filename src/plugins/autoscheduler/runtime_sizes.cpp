#include "plugins/autoscheduler/runtime_sizes.h"

#include <algorithm>

#include "scheduler/nest/launch.h"
#include "scheduler/nest/regions.h"

namespace autoschedule_gpu {
namespace {

RuntimeSizes sizes_of(const Dag &dag, const Kernel &kernel) {
    if (kernel.on_host) return RuntimeSizes::none;
    switch (runtime_extents(dag, kernel)) {
        case RuntimeExtents::none:
            return RuntimeSizes::none;
        case RuntimeExtents::set_by_parameters:
            return RuntimeSizes::bounded;
        case RuntimeExtents::any:
            break;
    }
    return RuntimeSizes::any;
}

}  // namespace

AllowedSizes::AllowedSizes(const Dag &dag, const Nest &nest) {
    for (const std::vector<size_t> &launch : launches(nest)) {
        RuntimeSizes together = RuntimeSizes::none;
        for (const size_t k : launch) {
            const RuntimeSizes own = sizes_of(dag, *nest.kernels[k]);
            has_bounded_ |= own == RuntimeSizes::bounded;
            together = std::max(together, own);
        }
        most_ = std::max(most_, together);
        for (const size_t k : launch) {
            const Stage &stage = dag.stage(nest.kernels[k]->stage);
            of_stages_.emplace(std::pair(dag.func(stage.func).halide_index, stage.index), together);
        }
    }
}

RuntimeSizes AllowedSizes::of(const KernelLaunch &kernel) const {
    const auto found = of_stages_.find({kernel.func, kernel.stage});
    return found == of_stages_.end() ? most_ : found->second;
}

}  // namespace autoschedule_gpu
