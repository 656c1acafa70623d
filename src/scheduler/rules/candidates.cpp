#include "scheduler/rules/candidates.h"

#include "scheduler/nest/sliding.h"

namespace autoschedule_gpu {

int64_t FusionCandidate::points() const {
    int64_t result = 1;
    for (int64_t extent : extents) result *= extent;
    return result;
}

double FusionCandidate::evaluations() const {
    const BlockLoop around = site != nullptr ? site->loop : loop_around(dag, func, loop);
    double times = static_cast<double>(iterations(*kernel.blocks));
    times *= static_cast<double>(loop_iterations(dag, around));
    if (site != nullptr) times *= static_cast<double>(iterations(*site));
    const int64_t walk = walk_of(kernel.tiling);
    if (walk > 1 && site == nullptr) {
        if (const std::optional<Slide> slide = slide_of(dag, kernel, func, extents)) {
            const auto window = static_cast<double>(extents[slide->dim]);
            return times * static_cast<double>(points()) / window *
                   (window + static_cast<double>(slide->fresh * (walk - 1)));
        }
    }
    return times * static_cast<double>(walk * points());
}

}  // namespace autoschedule_gpu
