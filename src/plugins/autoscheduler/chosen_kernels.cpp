#include "plugins/autoscheduler/chosen_kernels.h"

#include <algorithm>

#include "scheduler/features/feature_extractor.h"

namespace autoschedule_gpu {

std::vector<KernelPtr> in_launch_order(const Nest &nest) {
    std::vector<KernelPtr> kernels = nest.kernels;
    std::ranges::sort(kernels, {}, [](const KernelPtr &kernel) { return kernel->stage; });
    return kernels;
}

std::vector<FeatureTable> features_of(const Dag &dag, const GpuModel &gpu, const Nest &nest) {
    FeatureExtractor extractor(dag, gpu);
    std::vector<FeatureTable> tables;
    for (const KernelPtr &kernel : in_launch_order(nest)) {
        tables.push_back(extractor.extract(*kernel));
    }
    return tables;
}

}  // namespace autoschedule_gpu
