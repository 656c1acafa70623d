#include "scheduler/decisions/kinds/unroll.h"

#include "scheduler/features/feature_extractor.h"
#include "scheduler/nest/edit.h"

namespace autoschedule_gpu {

std::vector<DecisionValue> UnrollKind::choices(const Dag &dag, const GpuModel &gpu,
                                               const KernelPtr &kernel, StageId stage) const {
    const Band &innermost = *find_innermost(*kernel, stage);
    std::vector<Unroll> unrolls = differing_unrolls(dag, innermost);
    if (unrolls.size() > 1) {
        FeatureExtractor extractor(dag, gpu);
        const auto bytes_in_memory = [&](Unroll unroll) {
            const KernelPtr unrolled = unroll_stage(dag, kernel, stage, unroll);
            return extractor.extract(*unrolled).kernel.local_bytes_per_thread;
        };
        const double least = bytes_in_memory(Unroll::all);
        std::erase_if(unrolls, [&](Unroll unroll) {
            return unroll != innermost.unroll && bytes_in_memory(unroll) > least;
        });
    }
    std::vector<DecisionValue> values;
    for (Unroll unroll : unrolls) values.push_back(std::string(to_string(unroll)));
    return values;
}

std::optional<DecisionValue> UnrollKind::value(const Kernel &kernel, StageId stage) const {
    return std::string(to_string(find_innermost(kernel, stage)->unroll));
}

Result<KernelPtr> UnrollKind::decide(const Dag &dag, const KernelPtr &kernel, StageId stage,
                                     const DecisionValue &value) const {
    const std::string *name = std::get_if<std::string>(&value);
    const std::optional<Unroll> unroll = name == nullptr ? std::nullopt : parse_unroll(*name);
    if (!unroll) return Error{"expected none, tile or all"};
    return unroll_stage(dag, kernel, stage, *unroll);
}

}  // namespace autoschedule_gpu
