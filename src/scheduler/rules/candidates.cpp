#include "scheduler/rules/candidates.h"

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
    return times * static_cast<double>(points());
}

}  // namespace autoschedule_gpu
