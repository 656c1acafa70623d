#include "plugins/autoscheduler/chosen_kernels.h"

#include <algorithm>

#include "scheduler/features/feature_extractor.h"
#include "scheduler/nest/launch.h"

namespace autoschedule_gpu {

std::vector<KernelPtr> in_launch_order(const Nest &nest) {
    std::vector<KernelPtr> kernels = nest.kernels;
    std::ranges::sort(kernels, {}, [](const KernelPtr &kernel) { return kernel->stage; });
    return kernels;
}

std::vector<std::vector<KernelPtr>> in_launches(const Nest &nest) {
    const Nest ordered{in_launch_order(nest), nest.places};
    std::vector<std::vector<KernelPtr>> result;
    for (const std::vector<size_t> &launch : launches(ordered)) {
        std::vector<KernelPtr> &kernels = result.emplace_back();
        for (const size_t k : launch) kernels.push_back(ordered.kernels[k]);
    }
    return result;
}

std::vector<FeatureTable> features_of(const Dag &dag, const GpuModel &gpu, const Nest &nest) {
    FeatureExtractor extractor(dag, gpu);
    std::vector<FeatureTable> tables;
    for (const std::vector<KernelPtr> &launch : in_launches(nest)) {
        tables.push_back(extractor.extract(launch));
    }
    return tables;
}

}  // namespace autoschedule_gpu
