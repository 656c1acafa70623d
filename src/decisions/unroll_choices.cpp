#include "decisions/unroll_choices.h"

#include "features/feature_extractor.h"
#include "nest/edit.h"

namespace autoschedule_gpu {

std::vector<Unroll> unroll_choices(const Dag &dag, const GpuModel &gpu, const KernelPtr &kernel,
                                   StageId stage) {
    const Band &innermost = *find_innermost(*kernel, stage);
    std::vector<Unroll> choices = differing_unrolls(dag, innermost);
    if (choices.size() == 1) return choices;
    FeatureExtractor extractor(dag, gpu);
    const auto bytes_in_memory = [&](Unroll unroll) {
        const KernelPtr unrolled = unroll_stage(dag, kernel, stage, unroll);
        return extractor.extract(*unrolled).kernel.local_bytes_per_thread;
    };
    const double least = bytes_in_memory(Unroll::all);
    std::erase_if(choices, [&](Unroll unroll) {
        return unroll != innermost.unroll && bytes_in_memory(unroll) > least;
    });
    return choices;
}

}  // namespace autoschedule_gpu
