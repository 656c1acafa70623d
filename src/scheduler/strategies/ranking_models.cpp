#include "scheduler/strategies/ranking_models.h"

#include "scheduler/model/make_cost_model.h"
#include "scheduler/strategies/spill_averse_model.h"

namespace autoschedule_gpu {

RankingModels::RankingModels(const GpuModel &device, const ModelChoice &choice)
    : gpu(device),
      model(make_cost_model(choice, gpu)),
      merging(make_merging_model(choice, gpu)),
      draft_merging(make_merging_model({ModelKind::analytical, nullptr}, gpu)),
      draft_tiling(make_cost_model({ModelKind::analytical, nullptr}, gpu)) {}

RankingModels RankingModels::with_registers(int64_t registers, const ModelChoice &choice) const {
    GpuModel tighter = gpu;
    tighter.max_registers_per_thread = registers;
    return RankingModels(tighter, choice);
}

RankingModels RankingModels::averse_to_spills() && {
    model = std::make_unique<SpillAverseModel>(std::move(model));
    return std::move(*this);
}

}  // namespace autoschedule_gpu
